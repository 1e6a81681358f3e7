/** Two names of the DOM's types that `aws4fetch` takes for granted; Node has what they stand for. */
type HeadersInit = ConstructorParameters<typeof Headers>[0]
type BodyInit = NonNullable<RequestInit['body']>

/** Two names of the DOM's types that `aws4fetch` requires; Node has the types under other names. */
type HeadersInit = ConstructorParameters<typeof Headers>[0]
type BodyInit = NonNullable<RequestInit['body']>

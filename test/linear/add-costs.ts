/** Adds the counted methods to the built-ins. Imported before the counted copy, which calls them while it loads. */
import { additions } from './costs.js'

for (const [prototype, methods] of additions) {
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(prototype, name, { value })
}

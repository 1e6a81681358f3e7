/** `blockmark/server`: the service, as one function and as a server. */

export { createService, type Files, type ReceivedFile, type ServiceOptions } from '../service/index.js'
export type { Store } from '../store/store.js'
export { type Config, ConfigError, type Environment, readConfig, type Variable, variables } from './config.js'
export { type RunningServer, serve } from './serve.js'

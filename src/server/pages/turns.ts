export { Turns } from '../../api/service/turn.js'

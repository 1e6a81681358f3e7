/** `blockmark/messengers`: a message in the formats of Telegram, Discord, WhatsApp and Matrix. */
export { type ArrivingText, type PackStreamOptions, packStream, type StreamReader } from './pack-stream.js'

/** `blockmark/messengers`: a message in the formats of Telegram, Discord, WhatsApp and Matrix. */
export { toDiscord } from './discord.js'
export { type MatrixMessage, toMatrix } from './matrix.js'
export type { MessengerOptions } from './message.js'
export { type ArrivingText, type PackStreamOptions, packStream, type StreamReader } from './pack-stream.js'
export { type TelegramEntity, type TelegramMessage, toTelegram } from './telegram.js'
export { toWhatsApp } from './whatsapp.js'

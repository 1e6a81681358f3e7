/** `blockmark/messengers`: a message in the formats of Telegram, Discord, WhatsApp and Matrix. */
export type { ArrivingText, StreamReader } from '../packing.js'
export { toDiscord } from './discord.js'
export { type MatrixMessage, toMatrix } from './matrix.js'
export type { MessengerOptions } from './message.js'
export { type PackStreamOptions, packStream } from './pack-stream.js'
export { type TelegramEntity, type TelegramMessage, toTelegram } from './telegram.js'
export { toWhatsApp } from './whatsapp.js'

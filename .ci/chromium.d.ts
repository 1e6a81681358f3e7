import type { LaunchOptions } from 'playwright-core'

/** Unpacks the browser, unless it is there already; gives the folder. */
export function unpackChromium(): string

/** How it is started, for playwright's `chromium.launch`. */
export function launchOptions(folder: string): LaunchOptions

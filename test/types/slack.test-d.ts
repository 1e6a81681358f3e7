/** Slack's blocks are what Slack's own types say. */
import type { AnyBlock, RichTextBlock as Given, MessageAttachment } from '@slack/types'
import { expectTypeOf } from 'vitest'
import { fromSlack, type RichTextBlock, toSlackBlocks } from '../../src/messengers/index.js'

expectTypeOf<RichTextBlock>().toExtend<Given>()
expectTypeOf(toSlackBlocks).returns.toExtend<AnyBlock[]>()

// A payload for Slack can be read without a conversion.
declare const blocks: AnyBlock[]
declare const attachments: MessageAttachment[]
void fromSlack({ channel: 'C1', text: 'a', blocks, attachments })
void fromSlack(blocks)

/** The requests that the service accepts, and what they do. `errors.test.ts` has those that it rejects. */

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Bot, furnish, onEveryBackend, type Reply, type World } from './support/world.js'

/** Returns the status of a response, its code, and the fields that its problems name. */
async function outcome(reply: Promise<Reply>): Promise<unknown[]> {
  const { status, body } = await reply
  const fields = (body.error?.details ?? []).map(({ path }) => path.join('/'))
  return body.error === undefined ? [status] : [status, body.error.code, ...fields]
}

let count = 0

/** A name that no other channel has. */
function newName(): string {
  count += 1
  return `channel ${count}`
}

onEveryBackend((world) => {
  let here: World
  let bot: Bot
  let other: Bot

  beforeAll(async () => {
    here = await world()
    bot = await here.bot('First')
    other = await here.bot('Second')
  })

  const channel = async (body: object = {}): Promise<string> =>
    (await bot.make('createChannel', { name: newName(), ...body })).channelID
  const thread = async (channelID: string): Promise<string> =>
    (await bot.make('postThread', { channelID, blocks: ['x'] })).threadID

  describe('a body', () => {
    test.each([
      ['application/json', 200],
      ['Application/JSON ; charset=utf-8', 200],
      ['application/json;\tcharset=utf-8', 200],
      ['application/jsonx', 415],
      ['text/json', 415],
      [null, 415],
    ])('of the type %j gets %i', async (type, status) => {
      const body = new TextEncoder().encode('{"name":"c"}')
      expect((await bot.send('createChat', { headers: { 'content-type': type }, body })).status).toBe(status)
    })

    test.each([
      ['identity', 200],
      [' Identity ', 200],
      ['', 200],
      ['gzip', 415],
      ['identity, gzip', 415],
    ])('with the coding %j gets %i', async (coding, status) => {
      const headers = { 'content-encoding': coding }
      expect((await bot.call('createChat', { name: 'c' }, headers)).status).toBe(status)
      expect((await bot.upload('x', 'a.txt', headers)).status).toBe(status)
    })

    test('may arrive in parts, and is UTF-8 to its end at any size', async () => {
      const bytes = (inside: readonly number[], length: number): BodyInit =>
        new Blob(['{"a":"', new Uint8Array(inside), `","b":"${'x'.repeat(length)}"}`])
      for (const length of [0, 2_000_000]) {
        for (const inside of [[0xff], [0xe2, 0x82]]) {
          expect(await outcome(bot.send('createChat', { body: bytes(inside, length) }))).toEqual([400, 'invalid_json'])
        }
      }
      // A large body is read in parts of a million bytes, and the split is inside one of these characters.
      const name = '€'.repeat(20)
      const fresh = await (await world()).bot('First')
      await fresh.make('createChannel', `{"name":"${name}"}`.padStart(999_989 + 31, ' '))
      expect((await fresh.get('channels')).body.result).toMatchObject([{ name }])
      const parts = ['{"name":', '"c', '"}'].map((part) => new TextEncoder().encode(part))
      expect((await bot.send('createChat', { body: ReadableStream.from(parts) })).status).toBe(200)
    })

    test('of more than 8 MiB is not read to its end', async () => {
      const limit = 8 * 1024 * 1024
      const sized = (size: number): string => `{"a":"${'x'.repeat(size - 8)}"}`
      expect(await outcome(bot.send('createChat', { body: sized(limit) }))).toContain('validation_failed')
      const { status, body } = await bot.send('createChat', { body: sized(limit + 1) })
      const message = 'The body is too large: at most 8,388,608 bytes are allowed. Send several requests.'
      const details = [{ path: [], code: 'too_large', message, limit }]
      expect([status, body.error]).toMatchObject([413, { code: 'too_large', message, details }])
      let parts = 0
      const endless = new ReadableStream({
        async pull(controller) {
          parts += 1
          // Without a limit, a failing test would not end.
          if (parts === 100) controller.close()
          else controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
        },
      })
      expect(await outcome(bot.send('createChat', { body: endless }))).toEqual([413, 'too_large', ''])
      expect(parts).toBeLessThan(50)
    })

    test('may start with a byte order mark, and the last of two fields with one name counts', async () => {
      const fresh = await (await world()).bot('First')
      await fresh.make('createChannel', '\uFEFF{"name":"a"}')
      await fresh.make('createChannel', '{"name":"c","name":"d"}')
      expect((await fresh.get('channels')).body.result).toMatchObject([{ name: 'a' }, { name: 'd' }])
    })

    const nested = (depth: number): string => `${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}`
    const fields = (size: number): string => Array.from({ length: size }, (_, index) => `"${index}":0`).join()
    const values = (size: number): string =>
      Array(size - 2)
        .fill('"\\",[{:"')
        .join()
    test.each([
      ['is nested too deeply: at most 64 levels', 'too_deep', 64, (size: number) => `{"ignored":${nested(size)}}`],
      ['has too many fields: at most 1,000', 'too_many_fields', 1000, (size: number) => `{${fields(size)}}`],
      ['has too many fields: at most 1,000', 'too_many_fields', 1000, (size: number) => `[{"a":{${fields(size)}}}]`],
      ['has too many values: at most 20,000', 'too_many_values', 20_000, (size: number) => `{"a":[${values(size)}]}`],
    ])('%s', async (sentence, code, limit, body) => {
      for (const size of [limit - 1, limit]) {
        expect((await outcome(bot.call('createChannel', body(size))))[0]).toBeOneOf([400, 422])
      }
      const { status, body: refused } = await bot.call('createChannel', body(limit + 1))
      const message = expect.stringContaining(`${sentence}`)
      expect([status, refused.error]).toMatchObject([413, { code: 'too_large', message, details: [{ code, limit }] }])
    })

    test('is rejected before its long name is normalized', async () => {
      const normalize = vi.spyOn(String.prototype, 'normalize')
      onTestFinished(() => normalize.mockRestore())
      // Sorting combining marks takes time quadratic in their number.
      const marks = '\u0301\u0323'.repeat(40_000)
      for (const [name, body] of [
        ['createChat', { name: marks }],
        ['createChannel', { name: marks }],
        ['postThread', { channel: marks, blocks: ['x'] }],
      ] as const) {
        expect([name, (await outcome(bot.call(name, body)))[1]]).toEqual([name, 'validation_failed'])
      }
      expect(Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length))).toBeLessThan(1000)
      // 80 characters in normal form, typed in their longest spelling, with white space around them.
      const typed = `${' '.repeat(5000)}${'\u1f80'.normalize('NFD').repeat(80)}\n`
      expect(await outcome(bot.call('createChat', { name: typed }))).toEqual([200])
    })
  })

  test('ids may be integers, and unknown fields are ignored', async () => {
    const channelID = Number(await channel())
    const { threadID } = await bot.make('postThread', { channelID, blocks: ['x'], surprise: '\0', toString: 1 })
    expect(threadID).toMatch(/^\d+$/)
  })

  test('both spellings of users are served, and the lists accept POST with or without a body', async () => {
    const expected = (await bot.get('users')).body
    expect((await bot.get('useres')).body).toEqual(expected)
    for (const body of ['{}', 'no json', null]) expect((await bot.send('useres', { body })).body).toEqual(expected)
    const bare = await bot.send('channels', { headers: { 'content-type': null } })
    expect(bare.status).toBe(200)
  })

  test('a target is found by id or by name; an empty string counts as absent', async () => {
    const name = newName()
    const channelID = await channel({ name })
    const threadID = await thread(channelID)
    const { chatID } = await bot.make('createChat', { name: 'Team' })
    const post = (target: object): Promise<unknown[]> => outcome(bot.call('postThread', { blocks: ['x'], ...target }))
    const say = (target: object): Promise<unknown[]> => outcome(bot.call('postChatMessage', { body: 'x', ...target }))
    const targets = [{ channelID }, { channel: ` #${name.toUpperCase()} ` }, { channelID, channel: name }]
    for (const target of [...targets, { channelID, channel: '' }, { channelID: '', channel: name }]) {
      expect([target, await post(target)]).toEqual([target, [200]])
    }
    for (const target of [{ chatID }, { chat: ' TEAM' }, { chatID, chat: '' }, { chatID: '', chat: 'Team' }]) {
      expect([target, await say(target)]).toEqual([target, [200]])
    }
    expect(await outcome(bot.call('postComment', { threadID, parentID: '', blocks: ['x'] }))).toEqual([200])
    expect(await post({ channelID: '1', channel: name })).toEqual([404, 'not_found'])
    expect(await post({ channelID: '', channel: '' })).toEqual([422, 'validation_failed', 'channelID'])
  })

  test('names compare after trimming, NFC and case folding, without one leading #', async () => {
    const fresh = await (await world()).bot('First')
    for (const [made, same] of [
      [' #Straße Café ', 'STRASSE CAFE\u0301'],
      ['ΣΊΣΥΦΟΣ', '#σίσυφος'],
      ['ﬁ', 'FI'],
    ] as const) {
      await fresh.make('createChannel', { name: made })
      expect(await outcome(fresh.call('createChannel', { name: same }))).toEqual([409, 'name_taken'])
      expect(await outcome(fresh.call('postThread', { channel: same, blocks: ['x'] }))).toEqual([200])
    }
    expect((await fresh.get('channels')).body.result[0].name).toBe('Straße Café')
  })

  test('a chat’s name is searched among the chats of the bot, and several chats may have it', async () => {
    const say = (): Promise<unknown[]> => outcome(bot.call('postChatMessage', { chat: 'Both', body: 'x' }))
    await other.make('createChat', { name: 'both' })
    expect(await say()).toEqual([404, 'not_found'])
    await bot.make('createChat', { name: 'both' })
    expect(await say()).toEqual([200])
    await bot.make('createChat', { name: 'BOTH' })
    expect(await say()).toEqual([409, 'ambiguous_name'])
  })

  describe('a name', () => {
    const hidden = ['\u202e', '\u2066', '\u061c', '\u200f', '\u200b', '\u2060', '\u00ad', '\u3164', '\ufeffa', '\u2028']
    test.each([
      ...['', ' # ', 'x'.repeat(81), 'a\u0085b', '\u200d', '\ufe0f\u200c', ...hidden.map((each) => `re${each}cod`)],
    ])('cannot be %j', async (name) => {
      expect(await outcome(bot.call('createChannel', { name }))).toEqual([422, 'validation_failed', 'name'])
    })

    test.each(['😀'.repeat(80), '👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'שלום'])('may be %j', async (name) => {
      expect(await outcome(bot.call('createChannel', { name }))).toEqual([200])
    })
  })

  test('people may be listed twice and by e-mail address in any case; if one is unknown, nothing changes', async () => {
    const fresh = await world()
    const [first, second] = [await fresh.bot('First'), await fresh.bot('Second')]
    const ada = await fresh.person('ada')
    await fresh.person('straße')
    const emails = [ada.email.toUpperCase(), ` ${ada.email} `, `BOT-${second.userID}@site.test`]
    await first.make('createChannel', { name: 'both', userIDs: [ada.userID, Number(ada.userID)], emails })
    const [made] = (await second.get('channels')).body.result
    expect(made.memberIDs.toSorted()).toEqual([ada.userID, first.userID, second.userID].toSorted())
    const unknown = { name: 'none', userIDs: [ada.userID, '7', 'x'], emails: [ada.email, 'strasse@people.test'] }
    expect(await outcome(first.call('createChannel', unknown))).toEqual([
      ...[422, 'user_not_found', 'userIDs/1', 'userIDs/2', 'emails/1'],
    ])
    expect((await first.get('channels')).body.result).toHaveLength(1)
    expect((await first.get('users')).body.result).toContainEqual({
      ...{ userID: second.userID, name: 'Second', email: `bot-${second.userID}@site.test` },
    })
  })

  test('userIDs and emails contain at most 1,000 together, and addChannelMembers requires one of the two', async () => {
    const { userID, email } = await here.person('grace')
    const channelID = await channel()
    const add = (userIDs: number, emails: number): Promise<unknown[]> => {
      const people = { userIDs: Array(userIDs).fill(userID), emails: Array(emails).fill(email) }
      return outcome(bot.call('addChannelMembers', { channelID, ...people }))
    }
    expect([await add(500, 500), await add(0, 0)]).toEqual([[200], [200]])
    for (const [userIDs, emails] of [
      [500, 501],
      [1001, 0],
    ] as const) {
      expect(await add(userIDs, emails)).toEqual([422, 'validation_failed', 'userIDs'])
    }
    expect(await outcome(bot.call('addChannelMembers', { channelID }))).toEqual([422, 'validation_failed', 'userIDs'])
  })

  test('a private channel is visible to its members only; they may add others to it', async () => {
    const name = newName()
    const channelID = await channel({ privacy: 'private', name })
    const attempts = {
      addChannelMembers: { channelID, userIDs: [other.userID] },
      deleteChannel: { channelID },
      postThread: { channel: name, blocks: ['x'] },
    }
    for (const [endpoint, body] of Object.entries(attempts)) {
      expect([endpoint, ...(await outcome(other.call(endpoint, body)))]).toEqual([endpoint, 404, 'not_found'])
    }
    const listed = async (each: Bot): Promise<unknown[]> =>
      (await each.get('channels')).body.result.filter((found: { name: string }) => found.name === name)
    expect(await listed(other)).toEqual([])
    expect(await listed(bot)).toMatchObject([{ privacy: 'private', memberIDs: [bot.userID] }])
    await bot.make('addChannelMembers', attempts.addChannelMembers)
    expect(await outcome(other.call('postThread', attempts.postThread))).toEqual([200])
    expect(await outcome(other.call('deleteChannel', { channelID }))).toEqual([403, 'not_owner'])
  })

  test('any bot may post in a public channel without joining it, comment there, and add members', async () => {
    const channelID = await channel()
    const { threadID } = await other.make('postThread', { channelID, blocks: ['x'] })
    await bot.make('postComment', { threadID, blocks: ['y'] })
    const members = async (): Promise<string[]> =>
      (await bot.get('channels')).body.result.find((each: { channelID: string }) => each.channelID === channelID)
        .memberIDs
    expect(await members()).toEqual([bot.userID])
    await other.make('addChannelMembers', { channelID, userIDs: [other.userID] })
    expect((await members()).toSorted()).toEqual([bot.userID, other.userID].toSorted())
  })

  test('limits are counted in code points: 100 blocks of 4,000, a body of 40,000, a description of 1,000', async () => {
    const channelID = await channel({ description: '😀'.repeat(1000) })
    await bot.make('postThread', { channelID, blocks: [...Array(99).fill('x'), '😀'.repeat(4000)] })
    const { chatID } = await bot.make('createChat', { name: 'long' })
    await bot.make('postChatMessage', { chatID, body: '😀'.repeat(40_000) })
  })

  test('parentID is the thread or one of its existing comments', async () => {
    const channelID = await channel()
    const [threadID, another] = [await thread(channelID), await thread(channelID)]
    const comment = (body: object): Promise<Reply> => bot.call('postComment', { threadID, blocks: ['x'], ...body })
    const { commentID } = (await comment({ parentID: threadID })).body.result
    expect((await comment({ parentID: commentID })).status).toBe(200)
    const refused = [422, 'validation_failed', 'parentID']
    for (const body of [{ parentID: another }, { parentID: commentID, threadID: another }]) {
      expect(await outcome(comment(body))).toEqual(refused)
    }
    await bot.make('deleteComment', { commentID })
    expect(await outcome(comment({ parentID: commentID }))).toEqual(refused)
    expect(await outcome(comment({ parentID: another, blocks: ['x', '<!1|>'] }))).toEqual([...refused, 'blocks/1'])
    const many = await comment({ parentID: another, blocks: Array(2).fill('<!1|>\n'.repeat(600)) })
    expect(many.body.error?.details).toHaveLength(1000)
  })

  test('only the bot that created an object deletes it, with everything in it, and deleting it again is 404', async () => {
    const fresh = await world()
    const [first, second] = [await fresh.bot('First'), await fresh.bot('Second')]
    const { channelID, threadID, commentID, chatID, chatMessageID } = await furnish(first, [second.userID])
    const { commentID: reply } = await second.make('postComment', { threadID, blocks: ['x'] })
    expect(await outcome(first.call('deleteComment', { commentID: reply }))).toEqual([403, 'not_owner'])
    const things = {
      deleteComment: { commentID },
      deleteChatMessage: { messageID: chatMessageID },
      deleteThread: { threadID },
      deleteChannel: { channelID },
      deleteChat: { chatID },
    }
    for (const [name, body] of Object.entries(things)) {
      expect([name, ...(await outcome(second.call(name, body)))]).toEqual([name, 403, 'not_owner'])
      expect([name, (await first.call(name, body)).body]).toEqual([name, { ok: true }])
      expect([name, ...(await outcome(first.call(name, body)))]).toEqual([name, 404, 'not_found'])
    }
    expect(await outcome(second.call('deleteComment', { commentID: reply }))).toEqual([404, 'not_found'])
  })

  test('everything in a deleted channel or chat is gone, and the name is free', async () => {
    const fresh = await (await world()).bot('First')
    const { channelID, threadID, commentID, chatID, chatMessageID } = await furnish(fresh)
    await fresh.make('deleteChannel', { channelID })
    await fresh.make('deleteChat', { chatID })
    for (const [name, body] of [
      ['addChannelMembers', { channelID, userIDs: [] }],
      ['postThread', { channelID, blocks: ['x'] }],
      ['postThread', { channel: 'c', blocks: ['x'] }],
      ['deleteThread', { threadID }],
      ['postComment', { threadID, blocks: ['x'] }],
      ['deleteComment', { commentID }],
      ['postChatMessage', { chatID, body: 'x' }],
      ['postChatMessage', { chat: 'c', body: 'x' }],
      ['deleteChatMessage', { messageID: chatMessageID }],
    ] as const) {
      expect([name, ...(await outcome(fresh.call(name, body)))]).toEqual([name, 404, 'not_found'])
    }
    expect((await fresh.get('channels')).body.result).toEqual([])
    await fresh.make('createChannel', { name: 'C' })
  })

  test('a message can show only a file that its bot uploaded or can see, in any post', async () => {
    const fileID = await bot.file('x')
    const hidden = await channel({ privacy: 'private' })
    const channelID = await channel()
    const [hiddenThread, threadID] = [await thread(hidden), await thread(channelID)]
    const { chatID } = await bot.make('createChat', { name: 'mine' })
    const { chatID: common } = await bot.make('createChat', { name: 'common', userIDs: [other.userID] })
    const { chatID: foreign } = await other.make('createChat', { name: 'foreign' })
    const say = (body: string): Promise<unknown[]> => outcome(other.call('postChatMessage', { chatID: foreign, body }))
    const refused = [422, 'validation_failed', 'body']
    // An id that may be a user's, and plain text, cause no error about a file.
    for (const body of [`<@${fileID}>`, `a <!${fileID}|>`, `<@${fileID}> a`, `<@${fileID}|b>`]) {
      expect([body, await say(body)]).toEqual([body, [200]])
    }
    const show = (): Promise<unknown[]> => say(`a\n<!${fileID}|b>`)
    expect(await show()).toEqual(refused)
    const shown = `<!${fileID}|>`
    await bot.make('postChatMessage', { chatID, body: shown })
    await bot.make('postThread', { channelID: hidden, blocks: ['a', shown] })
    await bot.make('postComment', { threadID: hiddenThread, blocks: [shown] })
    expect(await show()).toEqual(refused)
    for (const [name, body, removal, field, id] of [
      ['postThread', { channelID, blocks: [shown] }, 'deleteThread', 'threadID', 'threadID'],
      ['postComment', { threadID, blocks: [`<@${fileID}>`] }, 'deleteComment', 'commentID', 'commentID'],
      ['postChatMessage', { chatID: common, body: shown }, 'deleteChatMessage', 'messageID', 'chatMessageID'],
    ] as const) {
      const made = await bot.make(name, body)
      const { chatMessageID } = await other.make('postChatMessage', { chatID: foreign, body: shown })
      await other.make('deleteChatMessage', { messageID: chatMessageID })
      await bot.make(removal, { [field]: made[id] })
      expect([name, await show()]).toEqual([name, refused])
    }
  })
})

/** The requests that the service accepts. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { type Bot, onEveryBackend, type Reply, SITE, type World } from './support/world.js'

const codes = (reply: Reply): (string | undefined)[] => [String(reply.status), reply.body.error?.code]
const paths = (reply: Reply): string[] => (reply.body.error?.details ?? []).map((detail) => detail.path.join('/'))

onEveryBackend((world) => {
  async function channel(bot: Bot, body: object = {}): Promise<string> {
    const reply = await bot.call('createChannel', { name: `c${Math.random()}`, ...body })
    return reply.body.result.channelID
  }
  const open = async (): Promise<{ here: World; bot: Bot; other: Bot }> => {
    const here = await world()
    return { here, bot: await here.bot('First'), other: await here.bot('Second') }
  }

  test('ids may arrive as integers, unknown fields are ignored, parameters of the content type are allowed', async () => {
    const { bot } = await open()
    const id = await channel(bot)
    const type = { 'content-type': 'application/json; charset=utf-8' }
    const reply = await bot.call('postThread', { channelID: Number(id), blocks: ['x'], surprise: '\0' }, type)
    expect(reply.body).toMatchObject({ ok: true, result: { threadID: expect.stringMatching(/^\d+$/) } })
  })

  test('fields are counted for each object, also for the deepest one', async () => {
    const { bot } = await open()
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => `"${index}":0`).join()
    const problem = async (body: string): Promise<unknown> =>
      (await bot.call('createChannel', body)).body.error?.details?.[0]?.code
    const around = (depth: number, body: string): string => `${'{"a":'.repeat(depth)}${body}${'}'.repeat(depth)}`
    expect(await problem(around(63, `{${fields(1001)}}`))).toBe('too_many_fields')
    expect(await problem(`{${fields(600)},"a":[[]],${fields(600)}}`)).toBe('too_many_fields')
    expect(await problem(`{"a":{${fields(600)}},"b":{${fields(600)}}}`)).not.toBe('too_many_fields')
  })

  test('a byte order mark is skipped, and the last of two fields with one name counts', async () => {
    const { bot } = await open()
    expect((await bot.call('createChannel', '\uFEFF{"name":"a"}')).status).toBe(200)
    expect((await bot.call('createChannel', '{"name":"c","name":"d"}')).status).toBe(200)
    const names = (await bot.get('channels')).body.result.map((each: { name: string }) => each.name)
    expect(names).toEqual(['a', 'd'])
  })

  test('a body is at most 64 deep, with 1,000 fields in an object and 20,000 values, ignored ones included', async () => {
    const { bot } = await open()
    const nested = (depth: number): string => `${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}`
    const listed = (values: number): string => `[${Array(values - 3).fill('"\\",[{:"')}]`
    const fields = (count: number): string => Array.from({ length: count - 1 }, (_, index) => `,"${index}":0`).join('')
    const bodies: readonly (readonly [number, string, string, (size: number) => string])[] = [
      [64, 'too_deep', '64', (depth) => `{"privacy":"x","ignored":${nested(depth)}}`],
      [1000, 'too_many_fields', '1,000', (count) => `{"privacy":"x"${fields(count)}}`],
      [20_000, 'too_many_values', '20,000', (count) => `{"privacy":"x","ignored":${listed(count)}}`],
    ]
    for (const [limit, code, shown, body] of bodies) {
      for (const size of [limit - 1, limit]) {
        expect([code, size, (await bot.call('createChannel', body(size))).status]).toEqual([code, size, 422])
      }
      const reply = await bot.call('createChannel', body(limit + 1))
      expect(codes(reply)).toEqual(['413', 'too_large'])
      expect(reply.body.error?.message).toContain(shown)
      expect(reply.body.error?.details).toMatchObject([{ path: [], code, limit }])
    }
    // A broken body is not reported as too large.
    expect(codes(await bot.call('createChannel', ']'.repeat(100_000)))).toEqual(['400', 'invalid_json'])
    expect(codes(await bot.call('createChannel', '{"a":"\\'))).toEqual(['400', 'invalid_json'])
  })

  test('a name that is far too long is rejected before it is normalized', async () => {
    const { bot } = await open()
    const normalize = vi.spyOn(String.prototype, 'normalize')
    onTestFinished(() => normalize.mockRestore())
    // Sorting combining marks takes time quadratic in their number.
    const marks = '\u0301\u0323'.repeat(40_000)
    for (const reply of [
      await bot.call('createChat', { name: marks }),
      await bot.call('createChannel', { name: marks }),
      await bot.call('postThread', { channel: marks, blocks: ['x'] }),
    ]) {
      expect(codes(reply)).toEqual(['422', 'validation_failed'])
      expect(reply.body.error?.details).toMatchObject([{ code: 'too_long', limit: 80, actual: 80_000 }])
    }
    expect(Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length))).toBeLessThan(1000)
    // 80 characters of the normal form, typed in its longest spelling, with room around them.
    const typed = `${' '.repeat(5000)}${'\u1f80'.normalize('NFD').repeat(80)}\n`
    expect((await bot.call('createChat', { name: typed })).status).toBe(200)
  })

  test('strings with U+0000 or a lone surrogate are rejected, and all problems are reported at once', async () => {
    const { bot } = await open()
    const reply = await bot.call('createChannel', {
      ...{ name: 'a\0b', description: '\ud800', privacy: 'secret', userIDs: 'x', emails: [1] },
    })
    expect(codes(reply)).toEqual(['422', 'validation_failed'])
    expect([...new Set(paths(reply))]).toEqual(['name', 'description', 'privacy', 'userIDs', 'emails/0'])
  })

  test('both spellings of users are served, and the lists accept POST with or without a body', async () => {
    const { here, bot } = await open()
    const expected = (await bot.get('users')).body
    expect((await bot.get('useres')).body).toEqual(expected)
    expect((await bot.call('users', {})).body).toEqual(expected)
    expect((await bot.call('useres', 'no json')).body).toEqual(expected)
    const authorization = `Bearer ${bot.key}`
    const bare = new Request(`${SITE}/api/public/channels`, { method: 'POST', headers: { authorization } })
    expect((await here.fetch(bare)).status).toBe(200)
  })

  test('a target needs an id or a name; if they do not match, nothing is posted', async () => {
    const { bot } = await open()
    const channelID = (await bot.call('createChannel', { name: 'Deploys' })).body.result.channelID
    await bot.call('createChannel', { name: 'Other' })
    const missing = await bot.call('postThread', { blocks: ['x'] })
    expect(codes(missing)).toEqual(['422', 'validation_failed'])
    expect((await bot.call('postThread', { channelID, channel: ' #dePLOYS ', blocks: ['x'] })).status).toBe(200)
    expect(codes(await bot.call('postThread', { channelID, channel: 'other', blocks: ['x'] }))).toEqual([
      '422',
      'target_mismatch',
    ])
    expect(codes(await bot.call('postThread', { channelID: '1', channel: 'Deploys', blocks: ['x'] }))).toEqual([
      '404',
      'not_found',
    ])
    const { chatID } = (await bot.call('createChat', { name: 'Team' })).body.result
    expect((await bot.call('postChatMessage', { chatID, chat: ' TEAM', body: 'x' })).status).toBe(200)
    expect(codes(await bot.call('postChatMessage', { chatID, chat: 'other', body: 'x' }))).toEqual([
      '422',
      'target_mismatch',
    ])
  })

  test('an empty string in an optional target field counts as absent', async () => {
    const { bot } = await open()
    const channelID = await channel(bot, { name: 'Deploys' })
    const threadID = (await bot.call('postThread', { channelID, channel: '', blocks: ['x'] })).body.result.threadID
    expect((await bot.call('postThread', { channelID: '', channel: 'Deploys', blocks: ['x'] })).status).toBe(200)
    expect((await bot.call('postComment', { threadID, parentID: '', blocks: ['x'] })).status).toBe(200)
    const { chatID } = (await bot.call('createChat', { name: 'Team' })).body.result
    expect((await bot.call('postChatMessage', { chatID, chat: '', body: 'x' })).status).toBe(200)
    expect((await bot.call('postChatMessage', { chatID: '', chat: 'Team', body: 'x' })).status).toBe(200)
    const none = await bot.call('postThread', { channelID: '', channel: '', blocks: ['x'] })
    expect([...codes(none), ...paths(none)]).toEqual(['422', 'validation_failed', 'channelID'])
    const empty = await bot.call('postComment', { threadID: '', blocks: ['x'] })
    expect([...codes(empty), ...paths(empty)]).toEqual(['422', 'validation_failed', 'threadID'])
  })

  test('an e-mail address with more combining marks than any script has is unknown, and is not normalized', async () => {
    const { bot } = await open()
    const normalize = vi.spyOn(String.prototype, 'normalize')
    onTestFinished(() => normalize.mockRestore())
    const marks = (count: number): string => `a${'\u0301'.repeat(count)}`
    for (const [count, isNormalized] of [
      [29, true],
      [30, true],
      [31, false],
    ] as const) {
      normalize.mockClear()
      const reply = await bot.call('createChat', { name: 'x', emails: [marks(count)] })
      expect(codes(reply)).toEqual(['422', 'user_not_found'])
      expect(normalize.mock.contexts.map(String).includes(marks(count))).toBe(isNormalized)
    }
  })

  test('names compare after trimming, NFC and case folding, without one leading #', async () => {
    const { bot } = await open()
    await bot.call('createChannel', { name: ' #Straße Café ' })
    const names = (await bot.get('channels')).body.result.map((each: { name: string }) => each.name)
    expect(names).toEqual(['Straße Café'])
    expect(codes(await bot.call('createChannel', { name: 'STRASSE CAFE\u0301' }))).toEqual(['409', 'name_taken'])
    expect((await bot.call('postThread', { channel: '#strasse café', blocks: ['x'] })).status).toBe(200)
  })

  test('a chat name that fits several visible chats is ambiguous, and one that fits others only is not found', async () => {
    const { bot, other } = await open()
    await bot.call('createChat', { name: 'Team' })
    await other.call('createChat', { name: 'team' })
    expect((await bot.call('postChatMessage', { chat: 'TEAM', body: 'x' })).status).toBe(200)
    await bot.call('createChat', { name: 'team' })
    expect(codes(await bot.call('postChatMessage', { chat: 'Team', body: 'x' }))).toEqual(['409', 'ambiguous_name'])
    expect(codes(await bot.call('postChatMessage', { chat: 'none', body: 'x' }))).toEqual(['404', 'not_found'])
  })

  test('a name has 1 to 80 characters and no control character, a description up to 1,000', async () => {
    const { bot } = await open()
    for (const [name, status] of [
      ['', 422],
      [' # ', 422],
      ['😀'.repeat(80), 200],
      ['x'.repeat(81), 422],
      ['a\u0085b', 422],
    ]) {
      expect([name, (await bot.call('createChannel', { name })).status]).toEqual([name, status])
    }
    expect(codes(await bot.call('createChannel', {}))).toEqual(['422', 'validation_failed'])
    for (const [length, status] of [
      [1000, 200],
      [1001, 422],
    ] as const) {
      const reply = await bot.call('createChannel', { name: `d${length}`, description: 'x'.repeat(length) })
      expect(reply.status).toBe(status)
      if (status === 422)
        expect(reply.body.error?.details).toMatchObject([{ path: ['description'], limit: 1000, actual: 1001 }])
    }
  })

  test('a name has no invisible characters and none that reverse text; scripts and emoji keep their joiners', async () => {
    const { bot } = await open()
    const hidden = ['\u202e', '\u2066', '\u061c', '\u200f', '\u200b', '\u2060', '\u00ad', '\u3164', '\ufeffa', '\u2028']
    for (const endpoint of ['createChannel', 'createChat']) {
      for (const character of hidden) {
        const reply = await bot.call(endpoint, { name: `re${character}cod` })
        expect([character, ...codes(reply)]).toEqual([character, '422', 'validation_failed'])
        expect(reply.body.error?.details).toMatchObject([{ path: ['name'], code: 'characters' }])
      }
      for (const name of ['\u200d', '\ufe0f\u200c']) expect((await bot.call(endpoint, { name })).status).toBe(422)
    }
    for (const name of ['👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'שלום']) {
      expect([name, (await bot.call('createChannel', { name })).status]).toEqual([name, 200])
    }
  })

  test('people may be named twice and by address in any case; unknown ones are all listed and nothing is applied', async () => {
    const { here, bot, other } = await open()
    const ada = await here.person('ada')
    const people = {
      userIDs: [ada.userID, other.userID, Number(ada.userID)],
      emails: [ada.email.toUpperCase(), ` ${ada.email} `],
    }
    await bot.call('createChannel', { name: 'both', ...people })
    const [made] = (await bot.get('channels')).body.result
    expect(made.memberIDs.toSorted()).toEqual([ada.userID, bot.userID, other.userID].toSorted())
    const reply = await bot.call('createChannel', {
      name: 'none',
      userIDs: [ada.userID, '7', 'x'],
      emails: ['no@where.test'],
    })
    expect(codes(reply)).toEqual(['422', 'user_not_found'])
    expect(paths(reply)).toEqual(['userIDs/1', 'userIDs/2', 'emails/0'])
    expect(reply.body.error?.details?.[0]).toEqual({
      ...{ path: ['userIDs', 1], code: 'user_not_found', message: '`userIDs[1]` is not in this organization.' },
    })
    const two = await bot.call('createChannel', { name: 'none', userIDs: [ada.userID], emails: ['no@where.test'] })
    expect([...codes(two), ...paths(two)]).toEqual(['422', 'user_not_found', 'emails/0'])
    expect((await bot.get('channels')).body.result).toHaveLength(1)
  })

  test('userIDs and emails contain at most 1,000 together, and addChannelMembers requires one of the two', async () => {
    const { here, bot } = await open()
    const { userID, email } = await here.person('ada')
    const channelID = await channel(bot)
    const add = (userIDs: number, emails: number): Promise<Reply> =>
      bot.call('addChannelMembers', {
        channelID,
        userIDs: Array(userIDs).fill(userID),
        emails: Array(emails).fill(email),
      })
    expect((await add(500, 500)).body).toEqual({ ok: true })
    expect(codes(await add(500, 501))).toEqual(['422', 'validation_failed'])
    const all = { name: '', userIDs: Array(600).fill(userID), emails: Array(600).fill(email) }
    const reply = await bot.call('createChannel', all)
    expect(paths(reply)).toEqual(['name', 'userIDs'])
    expect(reply.body.error?.details?.[1]).toMatchObject({ limit: 1000, actual: 1200 })
    expect(codes(await add(1001, 0))).toEqual(['422', 'validation_failed'])
    expect(codes(await bot.call('addChannelMembers', { channelID }))).toEqual(['422', 'validation_failed'])
    expect((await bot.call('addChannelMembers', { channelID, userIDs: [] })).status).toBe(200)
  })

  test('a private channel is visible to its members only; they may add others to it', async () => {
    const { bot, other } = await open()
    const channelID = await channel(bot, { privacy: 'private', name: 'secret' })
    const attempts = {
      addChannelMembers: { channelID, userIDs: [other.userID] },
      deleteChannel: { channelID },
      postThread: { channelID, blocks: ['x'] },
    }
    for (const [name, body] of Object.entries(attempts)) {
      expect([name, ...codes(await other.call(name, body))]).toEqual([name, '404', 'not_found'])
    }
    expect(codes(await other.call('postThread', { channel: 'secret', blocks: ['x'] }))).toEqual(['404', 'not_found'])
    expect((await other.get('channels')).body.result).toEqual([])
    expect((await bot.get('channels')).body.result).toMatchObject([{ privacy: 'private', memberIDs: [bot.userID] }])
    await bot.call('addChannelMembers', attempts.addChannelMembers)
    expect((await other.call('postThread', attempts.postThread)).status).toBe(200)
    expect(codes(await other.call('deleteChannel', { channelID }))).toEqual(['403', 'not_owner'])
  })

  test('any bot may post in a public channel without joining it, and comment on threads that it sees', async () => {
    const { bot, other } = await open()
    const channelID = await channel(bot)
    const { threadID } = (await other.call('postThread', { channelID, blocks: ['x'] })).body.result
    expect((await bot.call('postComment', { threadID, blocks: ['y'] })).status).toBe(200)
    expect((await other.get('channels')).body.result[0].memberIDs).toEqual([bot.userID])
    expect((await other.call('addChannelMembers', { channelID, userIDs: [other.userID] })).body).toEqual({ ok: true })
    expect((await bot.get('channels')).body.result[0].memberIDs.toSorted()).toEqual(
      [bot.userID, other.userID].toSorted(),
    )
  })

  test('bots are users: they are listed and may be members', async () => {
    const { bot, other } = await open()
    const users = (await bot.get('users')).body.result
    expect(users).toContainEqual({ userID: other.userID, name: 'Second', email: `bot-${other.userID}@site.test` })
    expect((await bot.call('createChat', { name: 'x', emails: [`BOT-${other.userID}@site.test`] })).status).toBe(200)
    expect((await other.call('postChatMessage', { chat: 'x', body: 'hi' })).status).toBe(200)
  })

  test('blocks are 1 to 100 strings of 1 to 4,000 code points, a body 1 to 40,000, and neither is blank', async () => {
    const { bot } = await open()
    const channelID = await channel(bot)
    const { chatID } = (await bot.call('createChat', { name: 'chat' })).body.result
    const post = async (blocks: unknown): Promise<number> =>
      (await bot.call('postThread', { channelID, blocks })).status
    const say = async (body: unknown): Promise<number> => (await bot.call('postChatMessage', { chatID, body })).status
    expect(await Promise.all([[], ['x'], Array(100).fill('x'), Array(101).fill('x')].map(post))).toEqual([
      422, 200, 200, 422,
    ])
    expect(await Promise.all([['😀'.repeat(4000)], ['x'.repeat(4001)], [' \n'], [7], 'x'].map(post))).toEqual([
      200, 422, 422, 422, 422,
    ])
    expect(await Promise.all(['x', '😀'.repeat(40_000), 'x'.repeat(40_001), ' ', '', 7].map(say))).toEqual([
      200, 200, 422, 422, 422, 422,
    ])
    const reply = await bot.call('postThread', { channelID, blocks: ['ok', 'x'.repeat(4001), ''] })
    expect(reply.body.error?.details).toMatchObject([
      { path: ['blocks', 1], code: 'blocks/too-long', limit: 4000, actual: 4001 },
      { path: ['blocks', 2], code: 'blocks/blank' },
    ])
    const wrong: readonly (readonly [name: string, field: object, code: string, limits?: object])[] = [
      ['postThread', { blocks: [] }, 'blocks/count', { limit: 1, actual: 0 }],
      ['postThread', { blocks: Array(101).fill('x') }, 'blocks/count', { limit: 100, actual: 101 }],
      ['postThread', { blocks: 'x' }, 'blocks/type'],
      ['postThread', { blocks: [null] }, 'blocks/type'],
      ['postThread', { blocks: ['a\nb\0'] }, 'blocks/character'],
      ['postChatMessage', { body: ' ' }, 'body/blank'],
      ['postChatMessage', { body: '\0' }, 'body/character'],
      ['postChatMessage', { body: 7 }, 'body/type'],
      ['postChatMessage', { body: 'x'.repeat(40_001) }, 'body/too-long', { limit: 40_000, actual: 40_001 }],
    ]
    for (const [name, field, code, limits = {}] of wrong) {
      const { body } = await bot.call(name, { channelID, chatID, ...field })
      expect(body.error?.details).toEqual([
        { code, ...limits, path: expect.any(Array), message: expect.stringMatching(/^`(?:blocks|body)/) },
      ])
    }
  })

  test('parentID is the thread or one of its existing comments', async () => {
    const { bot } = await open()
    const channelID = await channel(bot)
    const post = async (): Promise<string> =>
      (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result.threadID
    const [threadID, another] = [await post(), await post()]
    const comment = async (body: object): Promise<Reply> =>
      bot.call('postComment', { threadID, blocks: ['x'], ...body })
    const { commentID } = (await comment({ parentID: threadID })).body.result
    expect((await comment({ parentID: commentID })).status).toBe(200)
    const strange = await comment({ parentID: another })
    expect(codes(strange)).toEqual(['422', 'validation_failed'])
    const message = '`parentID` is neither the thread nor one of its comments.'
    expect(strange.body.error?.details).toEqual([{ path: ['parentID'], code: 'not_in_thread', message }])
    expect(codes(await comment({ parentID: commentID, threadID: another }))).toEqual(['422', 'validation_failed'])
    await bot.call('deleteComment', { commentID })
    expect(codes(await comment({ parentID: commentID }))).toEqual(['422', 'validation_failed'])
    const both = await comment({ parentID: another, blocks: ['x', '<!1|>'] })
    expect([...codes(both), ...paths(both)]).toEqual(['422', 'validation_failed', 'parentID', 'blocks/1'])
    const many = await comment({ parentID: another, blocks: Array(2).fill('<!1|>\n'.repeat(600)) })
    expect(paths(many)).toHaveLength(1000)
  })

  test('only the bot that created an object deletes it, with everything in it, and deleting it again is 404', async () => {
    const { bot, other } = await open()
    const channelID = await channel(bot)
    const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    const { commentID } = (await other.call('postComment', { threadID, blocks: ['x'] })).body.result
    const { chatID } = (await bot.call('createChat', { name: 'c', userIDs: [other.userID] })).body.result
    const { chatMessageID } = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
    expect(codes(await bot.call('deleteComment', { commentID }))).toEqual(['403', 'not_owner'])
    const things = {
      deleteChatMessage: { messageID: chatMessageID },
      deleteChat: { chatID },
      deleteThread: { threadID },
      deleteChannel: { channelID },
    }
    for (const [name, body] of Object.entries(things)) {
      expect([name, ...codes(await other.call(name, body))]).toEqual([name, '403', 'not_owner'])
      expect([name, (await bot.call(name, body)).body]).toEqual([name, { ok: true }])
      expect([name, ...codes(await bot.call(name, body))]).toEqual([name, '404', 'not_found'])
    }
    expect(codes(await other.call('deleteComment', { commentID }))).toEqual(['404', 'not_found'])
  })

  test('a thread of a deleted channel and a message of a deleted chat are gone', async () => {
    const { bot } = await open()
    const channelID = await channel(bot)
    const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    await bot.call('deleteChannel', { channelID })
    expect((await bot.call('postComment', { threadID, blocks: ['x'] })).status).toBe(404)
    const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
    const { chatMessageID } = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
    await bot.call('deleteChat', { chatID })
    expect((await bot.call('deleteChatMessage', { messageID: chatMessageID })).status).toBe(404)
  })
  test('a message can show only a file that its bot uploaded or can see, in any post', async () => {
    const { bot, other } = await open()
    const fileID = await bot.file('x')
    const secret = await channel(bot, { privacy: 'private' })
    const channelID = await channel(bot)
    const { chatID } = (await bot.call('createChat', { name: 'mine' })).body.result
    const { threadID: hidden } = (await bot.call('postThread', { channelID: secret, blocks: ['x'] })).body.result
    const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    const { chatID: foreign } = (await other.call('createChat', { name: 'foreign' })).body.result
    const show = (): Promise<Reply> => other.call('postChatMessage', { chatID: foreign, body: `a\n<!${fileID}|b>` })
    const refused = {
      path: ['body'],
      code: 'file_not_found',
      message: `\`body\` shows file ${fileID}, which this bot did not upload and cannot see: upload it first.`,
    }
    // An id that may be a user's, and plain text, cause no error about a file.
    for (const body of [`<@${fileID}>`, `a <!${fileID}|>`, `<@${fileID}> a`, `<@${fileID}|b>`])
      expect((await other.call('postChatMessage', { chatID: foreign, body })).status).toBe(200)
    expect((await show()).body.error?.details).toEqual([refused])
    const places: readonly [path: string, body: object, removal: string, id: string][] = [
      ['postChatMessage', { chatID, body: `<!${fileID}|>` }, 'deleteChatMessage', 'chatMessageID'],
      ['postThread', { channelID: secret, blocks: ['a', `<!${fileID}|>`] }, 'deleteThread', 'threadID'],
      ['postComment', { threadID: hidden, blocks: [`<!${fileID}|>`] }, 'deleteComment', 'commentID'],
    ]
    for (const [path, body] of places) {
      expect((await bot.call(path, body)).status).toBe(200)
      expect((await show()).body.error?.details, path).toEqual([refused])
    }
    const seen: readonly [path: string, body: object, removal: string, id: string][] = [
      ['postThread', { channelID, blocks: [`<!${fileID}|>`] }, 'deleteThread', 'threadID'],
      ['postComment', { threadID, blocks: [`<@${fileID}>`] }, 'deleteComment', 'commentID'],
    ]
    for (const [path, body, removal, id] of seen) {
      const { result } = (await bot.call(path, body)).body
      const shown = await show()
      expect(shown.status, path).toBe(200)
      const messageID = shown.body.result.chatMessageID
      expect((await other.call('deleteChatMessage', { messageID })).status).toBe(200)
      expect((await bot.call(removal, { [id]: result[id] })).status).toBe(200)
      expect((await show()).body.error?.details, removal).toEqual([refused])
    }
  })

  test('a missing object is reported by its field, also among others of its kind', async () => {
    const { bot, other } = await open()
    const channelID = await channel(bot, { privacy: 'private' })
    const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    const { commentID } = (await bot.call('postComment', { threadID, blocks: ['x'] })).body.result
    const { chatID } = (await bot.call('createChat', { name: 'talk' })).body.result
    const { chatMessageID: messageID } = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
    const hidden = [
      await other.call('postChatMessage', { chatID, body: 'x' }),
      await other.call('postChatMessage', { chat: 'talk', body: 'x' }),
      await other.call('deleteChatMessage', { messageID }),
      await bot.call('deleteChatMessage', { messageID: chatID }),
      await other.call('deleteChat', { chatID }),
      await other.call('deleteChannel', { channelID }),
      await bot.call('deleteComment', { commentID: threadID }),
      await other.call('deleteThread', { threadID }),
      await other.call('postComment', { threadID, blocks: ['x'] }),
      await other.call('deleteComment', { commentID }),
      await bot.call('postThread', { channel: 'none', blocks: ['x'] }),
    ]
    const fields = hidden.map((reply) => [...codes(reply), reply.body.error?.message?.split(':', 1)[0]])
    expect(fields).toEqual(
      [
        ...['chatID', 'chat', 'messageID', 'messageID', 'chatID', 'channelID', 'commentID'],
        ...['threadID', 'threadID', 'commentID', 'channel'],
      ].map((field) => ['404', 'not_found', `\`${field}\``]),
    )
    const two = [
      await bot.call('postThread', { channelID, channel: 'other', blocks: ['x'] }),
      await bot.call('postChatMessage', { chatID, chat: 'other', body: 'x' }),
    ]
    expect(two.map(({ body }) => body.error?.message)).toEqual([
      '`channel` and `channelID` name different things: send one of them.',
      '`chat` and `chatID` name different things: send one of them.',
    ])
  })
})

/**
 * The inputs of the benchmark: the messages of a busy and of a calm chat, posts with every construct, messages and prose
 * without markup. Each is made from one seed on every run and must have the size and the hash pinned here.
 */
import { createHash } from 'node:crypto'
import { chatMessage } from './chat.js'
import { calmMessage, plainMessage, post, prose } from './messages.js'
import { createRandom, type Random } from './random.js'

/** One kind of input: its messages in the order in which every contender reads them. */
export interface Corpus {
  name: CorpusName
  messages: readonly string[]
  /** Size in UTF-8. */
  bytes: number
}

export type CorpusName = 'chat' | 'calm' | 'post' | 'plain' | 'prose'

interface Recipe {
  seed: number
  count: number
  make: (random: Random) => string
  /** The size and the hash of all messages in UTF-8, each followed by U+0000. */
  bytes: number
  sha256: string
}

const recipes: Readonly<Record<CorpusName, Recipe>> = {
  chat: {
    seed: 5,
    count: 20_000,
    make: chatMessage,
    bytes: 1_852_797,
    sha256: '1348b7e32a9e80fd9e9b3642a415b20fc495009998f84104c86836ea85e42d23',
  },
  calm: {
    seed: 1,
    count: 20_000,
    make: calmMessage,
    bytes: 1_515_505,
    sha256: 'b06cfa5bffd4db100c2a8750157f35fa91fe417bbcf881988747cc023d8f6954',
  },
  post: {
    seed: 2,
    count: 300,
    make: post,
    bytes: 1_262_482,
    sha256: 'aa5de826655116d13e1f6cea3dba41bb1df9224cddc8644635cd489e94fd8cb0',
  },
  plain: {
    seed: 7,
    count: 20_000,
    make: plainMessage,
    bytes: 1_142_985,
    sha256: '74ca03890c5d16ddc4d9f6f0ee7e285db9739a07edeb6d6300832920e205cc09',
  },
  prose: {
    seed: 3,
    count: 300,
    make: prose,
    bytes: 1_349_488,
    sha256: '3b73c72cf44279402aaf7d16e977021a728a66cdb14564d8408b89892aa52c20',
  },
}

export const corpusNames: readonly CorpusName[] = ['chat', 'calm', 'post', 'plain', 'prose']

/** The corpora with bounds. `calm` and `prose` are for comparison only. */
export const boundedCorpusNames: readonly CorpusName[] = ['chat', 'post', 'plain']

/**
 * Makes a corpus and checks that it is the pinned one.
 *
 * @param name - the name of the corpus
 * @param share - the share of its messages to return, from the first on; 1 for all
 * @throws {Error} if the corpus is not the pinned one, with the actual size and hash
 */
export function makeCorpus(name: CorpusName, share: number): Corpus {
  const recipe = recipes[name]
  const random = createRandom(recipe.seed)
  const made = Array.from({ length: recipe.count }, () => recipe.make(random))
  const whole = made.map((message) => `${message}\0`).join('')
  const bytes = Buffer.byteLength(whole)
  const sha256 = createHash('sha256').update(whole).digest('hex')
  if (bytes !== recipe.bytes || sha256 !== recipe.sha256) {
    throw new Error(
      `corpus ${name}: expected bytes: ${recipe.bytes}, sha256: '${recipe.sha256}', received bytes: ${bytes}, sha256: '${sha256}'`,
    )
  }
  // The messages are parsed from JSON, as in a service: their strings are flat, with one byte for each character of Latin-1.
  const messages: readonly string[] = JSON.parse(JSON.stringify(made.slice(0, Math.ceil(recipe.count * share))))
  return { name, messages, bytes: bytesOf(messages) }
}

/** Counts the bytes of messages in UTF-8. */
export function bytesOf(messages: readonly string[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
}

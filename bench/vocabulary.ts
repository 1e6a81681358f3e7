/**
 * The words of the corpora. Entries are separated by ` | `; a word in braces is a slot that `wording.ts` fills (`{name}`,
 * `{url}`, …); everything else is used unchanged.
 */

/** Sentences of one language, used alone or in sequence. */
export interface Language {
  /** The percentage of messages in this language. */
  share: number
  sentences: readonly string[]
}

/** The parts of an English sentence of a chat, in order; `~` is an empty part. */
export const chatParts: readonly (readonly string[])[] = [
  list(`~ | ~ | ~ | ~ | So, | Ok, | Right, | Also, | By the way, | Good news: | Sorry, | As far as I can see, | For the record, |
    To be honest, | After lunch | Since yesterday | According to {name}, | In the end`),
  list(`the build | the deploy | our customer | the new endpoint | the login page | the search index | {name} |
    somebody from sales | the nightly job | the invoice for {month} | the {number} GB backup | the old server | my laptop |
    the whole team | the well-known race condition | the on-call engineer | this follow-up | the client's lawyer | the mobile app |
    the queue in eu-west-{digit} | that pull request | the cache | the second reviewer | the report`),
  list(`is waiting for | has broken | needs | still shows | will replace | does not like | is blocked by | is finally ready for |
    looks fine with | took {number} minutes longer than | should be merged before | depends on | can't find | didn't finish |
    asked about | was moved to | is going to break | times out on | was re-run with | keeps retrying | has nothing to do with | sent me`),
  list(`the release | the tests on main | the staging database | a second pair of eyes | the contract | {number} open tickets |
    the customer demo | the migration | our old API | the half-finished draft | a new certificate | the numbers from {month} |
    the meeting notes | the certificate for example.org | an answer from {name} | a rollback | the right permissions |
    the time-out of {number} s | the error budget | the 3:1 ratio | Q{digit}/2026 | the German translation | the coffee machine | everyone else`),
  list(`~ | ~ | ~ | ~ | , I think | again | this week | since {time} | (see above) | , right | , so please wait | until {date} | , which is odd |
    , as usual | -- my mistake | & that is fine | , thanks to {name} | ; more tomorrow | for version {version} |
    , but only in production | if x < {number} | and nobody noticed`),
  list('. | . | . | . | . | . | ! | ? | ...'),
]

/**
 * The parts of an English sentence of prose, with the average punctuation of English (for a thousand
 * characters about eleven commas and as many full stops, four apostrophes, four quotation marks, three hyphens, hardly
 * anything else) and without the numbers, paths and signs of a chat.
 */
export const proseParts: readonly (readonly string[])[] = [
  list(`~ | ~ | ~ | ~ | In the autumn | After a long winter, | As everybody knows, | To their surprise | On most days | Years later, |
    When the meeting was over, | Before anyone could answer, | It was said that | Now and then | At first | For all that we know, |
    "Nobody asked," he said, and | Because it hadn't rained for weeks,`),
  list(`the old engineer | a woman from the harbour office | {name} | {name} and {name} | the new committee | one of the visitors | the children |
    our neighbours | the librarian's brother | everyone in the room | the company | nobody who had read the letter | the owner of the mill |
    the second-hand bookseller | her former teacher | a small group of volunteers | the city council | the author of that report`),
  list(`had always wanted | could not remember | didn't understand | spoke for an hour about | looked everywhere for | gave away | was responsible for |
    never mentioned | had promised to repair | would rather have kept | wrote a long letter about | walked past | had forgotten about |
    agreed to pay for | was proud of | wasn't prepared for | refused to sell | had been looking forward to`),
  list(`the house at the end of the road | a better map of the valley | the only bridge across the river | what the others had decided |
    the long-lost photographs | everything that was left in the cellar | the story of the two brothers | a garden with apple trees |
    the well-known painting in the hall | the cost of the new roof | the voices from the street | an agreement that suited both sides |
    the weather on the coast | the last train home | his grandmother's recipes | the "temporary" building | a summer without visitors`),
  list(`~ | ~ | and went home without another word | , although the others had warned them | , which came as no surprise | , so it took the whole of {month} |
    until the lights went out | because there was nothing else to do | , or so it seemed at the time | , and that wasn't all |
    while the rest of the town was asleep | , but only for a short while | ; it had happened before | with the help of {name}'s friends |
    in spite of the half-hearted protests | , and the answer was simple: it was too late | , as if it were "the most natural thing"`),
  list('. | . | . | . | . | . | . | . | . | ? | . | . | . | . | . | . | !'),
]

/** Whole messages that are sent a hundred times a day. */
export const reactions: readonly string[] =
  list(`ok | thanks! | thank you {name} {emoji} | {emoji} | {emoji}{emoji} | lgtm {emoji} | haha | +1 | yes | no idea | on it |
  brb | good morning {emoji} | done | done {emoji} | same here | nice one, {name}! | will do | ping {mention} | merged | see you at {time} |
  :-) | ¯\\_(ツ)_/¯ | wow, {number} already? | what?! | sounds good | one sec | can you look at {ticket}?`)

/** Sentences with things that people paste. */
export const technical: readonly string[] =
  list(`{snake} is {number} ms slower than {snake} | try \`{command}\` first | it fails in {path}, line {number} | see {url} |
  the docs are here: {url} | could you review {url} please? | {ticket} is done, {ticket} is next | \`{snake}\` returns null |
  rename {snake} to {snake}, then run \`{command}\` | I get \`{error}\` since {time} | merged {branch} into main | {mention} any idea? |
  {mention} and {mention}: standup at {time} | assigned to {mention} | the flag is --{flag}, not -{letter} | x = a * b * {number} |
  use {snake}({snake}, {number}) | the notes are in [{phrase}]({url}). | compare [{ticket}]({url}) and {url} | env: {constant}={number} |
  we saw {number}% errors between {time} and {time} ({url}) | {path} and {path} both import \`{snake}\` | reverted in {hash}`)

/** Formatting around a few words, as people type it. */
export const formatted: readonly string[] = list(
  '**{phrase}** | **{phrase}** | **{phrase}** | **{phrase}:** | *{phrase}* | _{phrase}_ | _{phrase}_ | -{phrase}- | **{name}**',
)

/** Text that is frequent in posts and rare in chats: nested constructs, escapes, code with a backtick in it. */
export const elaborated: readonly string[] =
  list(`**{phrase}, _{phrase}_** | ***{phrase}*** | _**{phrase}**, {phrase}_ | -{phrase} **{phrase}**- | [**{phrase}** in \`{snake}\`]({url}) |
  [_{phrase}_, {ticket}]({url}#{word}) | \`\`{camel}\`{camel}\`\` | \\*{phrase}\\* | \\_{snake}\\_ and \\[{ticket}\\] | {url}?a={number}&b={number} |
  **{mention}**, {mention}: {phrase} | ({url}) | https://{host}/{word}_({word}) | **[{ticket}]({url})** & _[{ticket}]({url})_ | *{name}*: "{phrase}"`)

export const phrases: readonly string[] =
  list(`please read | release notes | not before Monday | done | breaking change | action required | draft | urgent |
  postponed | no rush | today | only in staging | first come, first served | work in progress | the full list | rollback plan`)

export const languages: readonly Language[] = [
  {
    share: 6,
    sentences:
      list(`Kannst du dir das bitte noch einmal anschauen? | Ich bin ab {time} wieder erreichbar. | Der Test auf {branch} läuft jetzt durch {emoji} |
      Das hängt leider vom Kunden ab, {name} klärt es gerade. | Für {month} fehlen noch {number} Rechnungen. | Schönes Wochenende euch allen! |
      Größe und Übergabe prüfen wir später. | Die Änderung ist in \`{snake}\`, siehe {url} | Müssen wir das wirklich heute veröffentlichen? |
      Danke, genau das hat gefehlt. | Es gibt zwei Möglichkeiten: warten oder zurückrollen. | Wer übernimmt die Bereitschaft am {date}?`),
  },
  {
    share: 5,
    sentences:
      list(`¿Alguien puede revisar esto antes de las {time}? | Ya está desplegado en producción {emoji} | No encuentro el informe de {month}. |
      Perdón, llego {number} minutos tarde. | El cliente pregunta por la migración. | Mañana hablamos con {name}. | ¡Muchas gracias a todos! |
      La función {snake} devuelve un valor vacío. | Según {url} ya funciona. | Falta la traducción del menú. | Buenos días, equipo.`),
  },
  {
    share: 4,
    sentences:
      list(`C'est en ligne depuis {time}. | Il manque encore la clé de \`{snake}\`. | Est-ce que quelqu’un a vu ça ? | Merci {name}, très utile ! |
      On en reparle à la réunion de {month}. | Le déploiement a échoué, voir {url} | J'ai corrigé l'erreur, à vérifier s'il vous plaît. |
      Désolé pour le retard {emoji} | Peut-être demain, peut-être après-demain. | Voilà les {number} fichiers demandés.`),
  },
  {
    share: 3,
    sentences:
      list(`Alguém consegue ver isso hoje? | A reunião passou para as {time}. | Não está funcionando na versão {version}. |
      Obrigada, {name}! {emoji} | O relatório de {month} está pronto. | Vou fazer o deploy às {time}. | Atenção: {number} erros novos em {path}`),
  },
  {
    share: 3,
    sentences:
      list(`Czy ktoś może to sprawdzić? | Wdrożenie przesunięte na {date}. | Dziękuję, {name} {emoji} | Błąd pojawia się tylko w wersji {version}. |
      Zmieniłem {snake}, zobacz {url} | Już działa, proszę odświeżyć stronę. | Jutro jestem na urlopie.`),
  },
  {
    share: 5,
    sentences:
      list(`Посмотрите, пожалуйста, что с очередью. | Я буду после {time}. | Всё готово, можно выкатывать {emoji} |
      Не работает \`{snake}\` на тестовом сервере. | Отчёт за {month} лежит здесь: {url} | Спасибо, {name}! | Кто-нибудь видел эту ошибку раньше? |
      Осталось {number} задач из ста. | Давайте обсудим это завтра утром. | Клиент просит перенести встречу.`),
  },
  {
    share: 4,
    sentences:
      list(`お疲れ様です。 | 確認をお願いします{emoji} | {time}から会議があります。 | 本番環境で{number}件のエラーが出ています。 | \`{snake}\`を修正しました。 |
      ありがとうございます！ | 資料はこちらです: {url} | {name}さん、少しお時間よろしいですか？ | 了解しました、対応します。 | サーバーを再起動しました。`),
  },
  {
    share: 4,
    sentences:
      list(`请大家看一下这个问题。 | 已经修复了{emoji} | 会议改到{time}。 | 数据库还在迁移，大约需要{number}分钟。 | 文档在这里：{url} | 谢谢{name}！ |
      这个函数\`{snake}\`有问题，需要重新测试。 | 明天上线，没问题吧？ | 收到。 | 日志里有{number}个警告。`),
  },
  {
    share: 2,
    sentences:
      list(`확인 부탁드립니다. | 배포가 완료되었습니다 {emoji} | {time}에 회의가 있습니다. | 오류가 {number}건 발생했습니다. | 감사합니다! |
      문서는 {url} 에 있습니다. | \`{snake}\` 함수를 수정했습니다.`),
  },
  {
    share: 2,
    sentences: list(
      `Toplantı {time} saatinde başlıyor. | Teşekkürler {name} {emoji} | Sürüm {version} yayında. | Şu hatayı gören oldu mu? | Yarın tekrar bakarım.`,
    ),
  },
]

/** The values of the slots of the same name. */
export const slots: Readonly<Record<string, readonly string[]>> = {
  name: list(`Ann | Björn | Chloé | Dmitri | Elif | Fatima | Giulia | Hiro | Ivan | Jörg | Katarzyna | Li Wei | Mateo | Ngozi | Olga |
    Priya | Quentin | Rosa | Sam | Tomáš | Uma | Vera | Wanda | Ximena | Yusuf | Zoë | Ben | Carla | Noor | Theo`),
  emoji: list(
    `🎉 | 👍 | 🚀 | 😂 | 🙏 | ✅ | 🔥 | 👀 | ❤️ | 😅 | 🤔 | 💯 | 👍🏽 | 🙈 | ☕ | 🐛 | ⚠️ | 🥳 | 👩‍💻 | 🇩🇪 | :tada: | :eyes: | :-) | :D`,
  ),
  month: list(
    'January | February | March | April | May | June | July | August | September | October | November | December',
  ),
  word: list(`user | id | get | set | max | size | retry | count | file | name | token | cache | key | last | seen | at | http | client |
    order | total | is | active | parse | row | index | page | limit | worker | pool | queue | event | log | level | time | zone`),
  host: list(
    `example.com | git.example.org | docs.example.com | status.example.net | ci.example.org | wiki.example.com`,
  ),
  command:
    list(`npm ci | git rebase -i main | kubectl get pods -n web | docker compose up -d | ls *.ts | grep -rn fixme src/ | make test |
    terraform plan | psql -c "select 1" | node --test | ssh build_01 | tail -f app.log`),
  error:
    list(`ECONNRESET | TypeError: Cannot read properties of undefined (reading 'id') | 502 Bad Gateway | permission denied | out of memory |
    deadlock detected | certificate has expired | NullPointerException | exit code 137`),
  extension: list('ts | js | py | go | md | json | css | sql'),
  phrase: phrases,
}

export const codeLines: readonly string[] =
  list(`const {camel} = await {camel}({number}) | if ({camel} < {number} && !{camel}) return null |   {camel}.push({ {camel}: "{phrase}" }) |
  } | ~ | // {phrase} | for (let i = 0; i < {camel}.length; i += 1) { | total += {camel}[i] * {number} | SELECT {snake}, {snake} FROM {snake} |
  WHERE {snake} >= {number} | export {constant}="{phrase}" | def {snake}({snake}, *args, **kwargs): | return {snake}.{snake} or {number} |
  <{camel} id="{snake}">{phrase}</{camel}> | - {snake}: {number} | {camel}: [{number}, {number}]`)

/** Info strings of fenced code. */
export const infoStrings: readonly string[] = list('js | ts | python | sql | sh | yaml | html | ~ | json title=a')

export const logLines: readonly string[] =
  list(`{date} {clock} INFO  [{snake}] request finished in {number} ms status={number} | {date} {clock} WARN  {path}:{number} retrying ({digit}/5) |
  {date} {clock} ERROR {snake} failed: {error} | [{clock}] {snake}={number} {snake}={number} user_id={number} |
  {clock} GET /api/v{digit}/{snake}?page={number}&limit={number} 200 {number}ms | at {camel} ({path}:{number}:{digit})`)

export const headings: readonly string[] =
  list(`Release {version} | Incident {ticket}: {phrase} | What changed | What is next | Weekly report, {date} | Known problems |
  How to upgrade from {version} | Numbers for {month} | Thanks | Timeline | Root cause | Decision | Open questions | Follow-ups`)

/** Splits a list of entries in the format of this file. */
export function list(entries: string): readonly string[] {
  return entries.split('|').map((entry) => (entry.trim() === '~' ? '' : entry.trim()))
}

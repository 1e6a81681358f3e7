#!/bin/sh
# Every endpoint with curl. Usage: KEY=wsk_… sh every-endpoint.sh http://127.0.0.1:3000
# Prints a line for each; ends with 1 at the first answer that is not ok.
set -eu
api="$1/api/public"

call() { # call NAME [JSON] → the answer
  name="$1"
  shift
  if [ $# -eq 0 ]; then
    answer=$(curl -sS -H "Authorization: Bearer $KEY" "$api/$name")
  else
    answer=$(curl -sS -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "$1" "$api/$name")
  fi
  check "$name"
}

check() {
  case "$answer" in
    '{"ok":true'*) echo "$1: ok" ;;
    *) echo "$1: $answer" >&2; exit 1 ;;
  esac
}

field() { # field NAME → its value in the last answer
  printf '%s' "$answer" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}

call ping
call users
call useres
call channels
call createChannel "{\"name\":\"curl $$\",\"description\":\"by a shell script\"}"
channel=$(field channelID)
call users
user=$(field userID)
call addChannelMembers "{\"channelID\":\"$channel\",\"userIDs\":[\"$user\"]}"
printf 'a file of text\n' > "${TMPDIR:-/tmp}/every-endpoint-$$.txt"
for spelling in upload uploadFile; do
  answer=$(curl -sS -H "Authorization: Bearer $KEY" -F "data=@${TMPDIR:-/tmp}/every-endpoint-$$.txt" "$api/$spelling")
  check "$spelling"
done
rm "${TMPDIR:-/tmp}/every-endpoint-$$.txt"
file=$(field fileID)
call postThread "{\"channel\":\"#CURL $$\",\"blocks\":[\"# Hello\",\"from **curl**\",\"<!$file|>\"]}"
thread=$(field threadID)
page=$(field threadURL)
curl -sSf "$page" | grep -q '<h2>Hello</h2>'
echo 'threadURL: ok'
curl -sSf "$(echo "$page" | sed "s#/$thread#/files/$file#")" | grep -q 'a file of text'
echo 'file: ok'
call postComment "{\"threadID\":$thread,\"blocks\":[\"a comment\"]}"
comment=$(field commentID)
call deleteComment "{\"commentID\":\"$comment\"}"
call deleteThread "{\"threadID\":\"$thread\"}"
call createChat "{\"name\":\"curl $$\"}"
chat=$(field chatID)
call postChatMessage "{\"chatID\":\"$chat\",\"body\":\"hello\"}"
message=$(field chatMessageID)
call deleteChatMessage "{\"messageID\":\"$message\"}"
call deleteChat "{\"chatID\":\"$chat\"}"
call deleteChannel "{\"channelID\":\"$channel\"}"

"""A whole story, told by a client that knows only what the description of the API says.

Run: KEY=wsk_... python3 raw-client.py http://127.0.0.1:3000
"""
import json
import os
import sys
import urllib.error
import urllib.request

BASE = sys.argv[1] + "/api/public/"


def call(name, body=None, headers=None, raw=None):
    data = raw if raw is not None else None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + name, data=data)
    request.add_header("Authorization", "Bearer " + os.environ["KEY"])
    request.add_header("Content-Type", "application/json")
    for header, value in (headers or {}).items():
        request.add_header(header, value)
    try:
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
    if not answer["ok"]:
        return answer["error"]["code"]
    return answer.get("result")


def upload(name, content):
    boundary = "a-boundary-that-nobody-types"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="data"; filename="{name}"\r\n\r\n'
    form = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return call("uploadFile", raw=form, headers={"Content-Type": "multipart/form-data; boundary=" + boundary})


name = f"python {os.getpid()}"
bot = call("ping")
user_ids = [user["userID"] for user in call("useres")]
channel = call("createChannel", {"name": "#" + name})
assert call("addChannelMembers", {"channelID": channel["channelID"], "userIDs": user_ids}) is None
assert name in [each["name"] for each in call("channels")]
file_id = upload("log.txt", b"all is well\n")["fileID"]
thread = {"channel": name, "blocks": ["# Hello", f"from **{bot['name']}**", f"<!{file_id}|>"]}
once = {"Idempotency-Key": name}
posted = call("postThread", thread, once)
assert call("postThread", thread, once) == posted, "posted twice"
assert call("postThread", {**thread, "blocks": ["other"]}, once) == "idempotency_mismatch"
with urllib.request.urlopen(posted["threadURL"]) as page:
    assert b">Hello</h" in page.read()
comment = call("postComment", {"threadID": posted["threadID"], "blocks": ["x"]})
assert call("deleteComment", {"commentID": comment["commentID"]}) is None
chat = call("createChat", {"name": name})
message = call("postChatMessage", {"chatID": chat["chatID"], "body": "hello"})
assert call("deleteChatMessage", {"messageID": message["chatMessageID"]}) is None
assert call("deleteChat", {"chatID": chat["chatID"]}) is None
assert call("deleteThread", {"threadID": posted["threadID"]}) is None
assert call("deleteChannel", {"channelID": channel["channelID"]}) is None
assert call("deleteChannel", {"channelID": channel["channelID"]}) == "not_found"
print("the story is complete")

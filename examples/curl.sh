#!/bin/sh
# Tell a fact, begin a new conversation, ask for it: nothing but curl.
#
#   export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=sk-...
#   sh curl.sh
set -eu

# A conversation of one message: nothing of the one before is sent. The header names whose memory
# it is; without it: the user `default`.
conversation() {
  printf '> %s\n' "$1"
  curl --silent --show-error --fail --include "$OPENAI_BASE_URL/chat/completions" \
    --header "Authorization: Bearer $OPENAI_API_KEY" \
    --header "Content-Type: application/json" \
    --header "x-recollect-user: ada" \
    --data "{\"model\": \"${MODEL:-gpt-4o-mini}\", \"messages\": [{\"role\": \"user\", \"content\": \"$1\"}]}" |
    grep -i -e '^x-recollect-' -e '"content"'
}

conversation "My budget for the Lisbon offsite is 4,000 euros."
conversation "What may the offsite cost?"

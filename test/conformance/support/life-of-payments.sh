#!/bin/sh
# The life of a payout, a remittance and a collection, with curl and openssl alone.
#
# Environment: BASE_URL, CONSUMER_KEY, CONSUMER_SECRET, PRIVATE_KEY (PEM file), CALLBACK_URL.
# Prints one line a step; ends with 1 at the first answer that is not the expected one.
set -eu

fail() {
  echo "unexpected: $*" >&2
  exit 1
}

# field NAME: the first value of a text or number field, from JSON on standard input
field() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\)\"\{0,1\}.*/\1/p" | head -n 1
}

# call METHOD PATH TOKEN BODY [HEADER]: prints the body, then the HTTP status on a line of its own
call() {
  if [ "$1" = GET ]; then
    curl -sS -w '\n%{http_code}\n' "$BASE_URL$2" -H "Authorization: Bearer $3"
  else
    curl -sS -w '\n%{http_code}\n' -X "$1" "$BASE_URL$2" -H "Authorization: Bearer $3" \
      -H 'Content-Type: application/json' -H "${5:-X-Unused: 1}" --data-binary "$4"
  fi
}

# expect STATUS ANSWER: ends the script where the last line is not this HTTP status
expect() {
  [ "$(echo "$2" | tail -n 1)" = "$1" ] || fail "wanted HTTP $1: $2"
}

token() {
  body="{\"consumer_key\":\"$CONSUMER_KEY\",\"consumer_secret\":\"$CONSUMER_SECRET\",\"product\":\"$1\"}"
  answer=$(call POST /auth/v1/token none "$body")
  expect 200 "$answer"
  echo "$answer" | field access_token
}

# sign TEXT: standard Base64 of RSA PKCS#1 v1.5 with SHA-256, in one line
sign() {
  printf '%s' "$1" | openssl dgst -sha256 -sign "$PRIVATE_KEY" | openssl base64 -A
}

# wait_for TOKEN REFERENCE STATE: asks for the status until it is final
wait_for() {
  tries=0
  while :; do
    answer=$(call POST /tsq/v1/query/payments "$1" "{\"transaction_reference\":\"$2\"}")
    expect 200 "$answer"
    state=$(echo "$answer" | field state)
    [ "$state" = "$3" ] && return 0
    [ "$state" = processing ] || fail "$2 is $state"
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || fail "$2 does not settle"
    sleep 0.1
  done
}

# disburse PRODUCT PATH BODY REFERENCE: accepted, a duplicate the second time, refused with another signature
disburse() {
  bearer=$(token "$1")
  signature=$(sign "${4}1000KEMPESA")
  answer=$(call POST "$2" "$bearer" "$3" "X-Custom-Signature: $signature")
  expect 201 "$answer"
  [ "$(echo "$answer" | field code)" = ACCEPTED ] || fail "$answer"
  echo "$1 accepted $(echo "$answer" | field payment_uuid)"

  answer=$(call POST "$2" "$bearer" "$3" "X-Custom-Signature: $signature")
  expect 200 "$answer"
  [ "$(echo "$answer" | field code)" = REJECTED ] || fail "$answer"
  echo "$1 duplicate ignored"

  answer=$(call POST "$2" "$bearer" "$3" "X-Custom-Signature: $(sign "${4}|1000|KE|MPESA")")
  expect 401 "$answer"
  echo "$1 signature refused"

  wait_for "$bearer" "$4" succeeded
  echo "$1 succeeded"

  answer=$(call GET '/tsq/v1/wallet-balances?currency=KES' "$bearer" '')
  expect 200 "$answer"
  [ "$(echo "$answer" | field available_balance)" = 998990 ] || fail "$answer"
  echo "$1 balance 998990"
}

meta="\"callback_url\":\"$CALLBACK_URL\",\"meta\":{\"by\":\"shell\"}"

disburse payout /payments/v1/payouts "{\"transaction\":{\"reference\":\"sh-payout\",\"amount\":1000,\
\"currency\":\"KES\",\"description\":\"Wages\",\"service_code\":\"MPESA\",\"timestamp\":\"2030-01-31T12:00:00Z\"},\
\"originator\":{\"msisdn\":\"254700000000\",\"channel\":\"API\",\"country\":\"KE\",\"name\":\"Ann\",\"purpose\":\"Wages\"},\
\"recipient\":{\"reference\":\"r\",\"account\":\"254711111111\",\"name\":\"Ben\",\"destination_code\":\"MPESA\"},$meta}" sh-payout

disburse remittance /payments/api/v1/remittance "{\"transaction\":{\"reference\":\"sh-remittance\",\"amount\":1000,\
\"currency\":\"KES\",\"description\":\"Fees\",\"service_code\":\"MPESA\",\"timestamp\":\"2030-01-31 12:00:00\"},\
\"originator\":{\"nationality\":\"Kenyan\",\"address\":\"Nairobi\",\"msisdn\":\"254700000000\",\"country\":\"KE\",\"purpose\":\"Fees\"},\
\"recipient\":{\"address\":\"Kampala\",\"country\":\"UG\",\"relationship\":\"Sister\",\"account_type\":\"MOMO\",\"account\":\"256711111111\"},$meta}" sh-remittance

bearer=$(token collection)
answer=$(call POST /payments/v1/collections "$bearer" "{\"transaction\":{\"reference\":\"sh-collection\",\"amount\":500,\
\"currency\":\"KES\",\"description\":\"A book\"},\"customer\":{\"name\":\"Cleo\",\"msisdn\":\"254722000000\",\
\"email\":\"cleo@example.com\"},\"redirect_url\":\"https://shop.example/thanks\",$meta}")
expect 201 "$answer"
checkout=$(echo "$answer" | field checkout_url)
echo "collection accepted"
curl -sSf "$checkout" | grep -q 'value="pay"' || fail 'the checkout page does not offer to pay'
redirect=$(curl -sS -o /dev/null -w '%{http_code} %{redirect_url}' --data outcome=pay "$checkout")
case "$redirect" in
  '303 https://shop.example/thanks'*) echo "collection paid" ;;
  *) fail "$redirect" ;;
esac
wait_for "$bearer" sh-collection succeeded
answer=$(call GET '/tsq/v1/wallet-balances?currency=KES' "$bearer" '')
[ "$(echo "$answer" | field available_balance)" = 500 ] || fail "$answer"
echo "collection balance 500"

"""What is written the same in every language: computing, tickers, units, first names."""

from .model import Cue, Lexicon
from .names import FIRST_NAMES

LEXICON = Lexicon(
    code="any",
    imperatives_lead=True,
    stop="",
    cues={
        Cue.NAME: FIRST_NAMES,
        Cue.TECH: """
        ajax|android|ansible|api|apis|arduino|ascii|async|awk|aws|azure|bash|bigint|binary search
        |boolean|c++|chmod|cors|cpu|crc|cron|css|csv|curl|debian|dijkstra|django|dns|docker|ebpf
        |ecmascript|elasticsearch|emacs|excel|ffmpeg|fastapi|firefox|flask|ftp|gcc|git|github
        |gitlab|golang|gpu|graphql|grep|gzip|hadoop|haskell|helm|hexdump|html|http|https|ipv4|ipv6
        |java|javascript|jquery|json|jupyter|jwt|kafka|kotlin|kubectl|kubernetes|lambda|latex
        |linux|lisp|localhost|lua|macos|makefile|markdown|matlab|maven|merkle|mongodb|mutex|mypy
        |mysql|nginx|nodejs|node.js|npm|null|numpy|oauth|oauth2|openssl|oop|orm|pandas|perl|php
        |pip|posix|postgres|postgresql|powershell|pytest|python|pytorch|quicksort|rebase|react
        |redis|regex|rest api|rfc|rsync|ruby on rails|rust|sass|scala|scp|sed|semver|sha256|shell
        |sql|sqlite|ssh|ssl|stdin|stdout|sudo|svg|swift|systemd|tar|tcp|tensorflow|terraform|tls
        |tmux|toml|typescript|ubuntu|udp|unicode|unix|url|urllib|utf|uuid|vim|vlookup|webassembly
        |websocket|wifi protocol|xml|xpath|yaml|zsh|big-o
        """,
        Cue.COMMAND: """
        ls|cat|cd|df|du|ps|git|npm|pip|docker|kubectl|make|pytest|curl|chmod|grep|ssh|sudo|cargo
        |yarn|pnpm|apt
        """,
        Cue.ARTEFACT: """
        stdout|readme|makefile|dockerfile|package json|todo|todos|pytest|mypy|ruff|eslint|npm
        |docker|kubectl|git|ls|df|ps|grep|localhost
        """,
        Cue.LIVE: """
        bitcoin|btc|ethereum|eth|dogecoin|nasdaq|s&p|dax|ftse|nikkei|dow jones|cac|ibex|bovespa
        |nifty|sensex|hang seng|nvda|aapl|tsla|msft|goog|googl|amzn|eur usd|usd eur
        """,
        Cue.UNIT: """
        km|cm|mm|kg|mg|lb|lbs|oz|ml|cl|mph|kmh|kwh|kw|mb|gb|tb|kib|mib|gib|kb|usd|eur|gbp|jpy|brl
        |inr|cny|chf|mxn|cad|aud|celsius|fahrenheit|kelvin|hex|ft|psi|utc|gmt|cet|pst
        """,
    },
)

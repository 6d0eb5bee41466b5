# Five years of one symbol's bars as a frame: from yfinance, which asks the provider, and from the service's store.
# Asked line by line on stdin, answers on stdout: milliseconds, rows, and a sum to compare the results by.
import json
import sys
import time

import pyasof
import yfinance
import yfinance.data
from pyasof import yf

HOSTS = {"_BASE_URL_": "query2.finance.yahoo.com", "_QUERY1_URL_": "query1.finance.yahoo.com", "_ROOT_URL_": "finance.yahoo.com"}


def prepare(url, gateway):
    """Let yfinance ask the sample market, whose addresses need neither cookie nor crumb; its own cache stays on."""
    for module in [module for name, module in sys.modules.items() if name.startswith("yfinance")]:
        for name, host in HOSTS.items():
            if hasattr(module, name):
                setattr(module, name, f"{gateway}/{host}")
    yfinance.data.YfData._get_cookie_and_crumb = lambda *_, **__: ("crumb", "basic")
    yf.use(pyasof.connect(url))
    return {}


def history(side, symbol, start, end):
    started = time.perf_counter()
    frame = {"service": yf, "yfinance": yfinance}[side].Ticker(symbol).history(start=start, end=end)
    took = (time.perf_counter() - started) * 1000
    return {"ms": took, "rows": len(frame), "sum": float(frame["Close"].sum())}


ANSWERS = {"prepare": prepare, "history": history}

for line in sys.stdin:
    ask = json.loads(line)
    print(json.dumps(ANSWERS[ask.pop("what")](**ask)), flush=True)

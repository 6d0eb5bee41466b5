# Recorded filings read by edgartools: asked line by line on stdin, answers on stdout with its own time and what it read.
import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("EDGAR_IDENTITY", "Asof bench bench@example.com")

import edgar.entity.core
import edgar.entity.submissions
from edgar import Filing
from edgar.entity.parser import EntityFactsParser
from edgar.ownership.forms import Ownership

# A form alone is read here: edgartools would ask the SEC for each owner's other filings.
for module in (edgar.entity.core, edgar.entity.submissions):
    module.get_entity_submissions = lambda *_, **__: None

YEARS = 40


def facts(path):
    """The annual net incomes of a company's income statement, in dollars."""
    company = EntityFactsParser.parse_company_facts(json.loads(Path(path).read_text()))
    income, _, _ = (
        getattr(company, name)(periods=YEARS, annual=True, as_dataframe=True)
        for name in ("income_statement", "balance_sheet", "cash_flow")
    )
    if income is None or "NetIncomeLoss" not in income.index:
        return []
    years = [name for name in income.columns if str(name).startswith("FY ")]
    return sorted(float(value) for value in income.loc["NetIncomeLoss", years].dropna())


def form4(path):
    """The shares of each trade in the table of plain securities."""
    table = Ownership.parse_xml(Path(path).read_text(errors="replace"))["non_derivative_table"]
    return sorted(float(shares) for shares in table.transactions.data["Shares"]) if table.has_transactions else []


def eightk(path):
    """The numbers of the items."""
    return sorted(item.removeprefix("Item ") for item in Filing.from_sgml(path).obj().items)


READERS = {"facts": facts, "form4": form4, "8k": eightk}

for line in sys.stdin:
    ask = json.loads(line)
    started = time.perf_counter()
    found = READERS[ask["what"]](ask["path"])
    took = (time.perf_counter() - started) * 1000
    print(json.dumps({"ms": took, "found": found}), flush=True)

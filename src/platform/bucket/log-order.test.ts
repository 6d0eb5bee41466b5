// The order in which the files of a Delta log are sent.
import { expect, test } from "bun:test";
import { entriesOf, sendingOrder } from "./log-order.ts";

const entry = (version: number) => `${String(version).padStart(20, "0")}.json`;
const checkpoint = (version: number) => `${String(version).padStart(20, "0")}.checkpoint.parquet`;
const order = (here: readonly string[], there: readonly string[]) => sendingOrder(here, new Set(there));

test("a first log goes downwards, each entry before its checkpoint: the oldest file completes it", () => {
  expect(order([entry(0), entry(1), entry(2), "_last_checkpoint"], [])).toEqual([
    entry(2),
    entry(1),
    entry(0),
  ]);
  expect(order([entry(3), checkpoint(3), entry(4), entry(5), checkpoint(5), entry(6)], [])).toEqual([
    entry(6),
    entry(5),
    checkpoint(5),
    entry(4),
    entry(3),
    checkpoint(3),
  ]);
});

test("newer entries go upwards, their checkpoints after them", () => {
  expect(order([entry(0), entry(1), entry(2), entry(3), checkpoint(2)], [entry(0), entry(1)])).toEqual([
    entry(2),
    entry(3),
    checkpoint(2),
  ]);
});

test("a first log that was interrupted is completed downwards, after what is newer", () => {
  expect(order([entry(0), entry(1), entry(2), entry(3), entry(4)], [entry(2), entry(3)])).toEqual([
    entry(4),
    entry(1),
    entry(0),
  ]);
});

test("where entries in between are gone, the checkpoint goes first", () => {
  expect(order([entry(7), checkpoint(7), entry(8)], [entry(0), entry(1)])).toEqual([
    checkpoint(7),
    entry(7),
    entry(8),
  ]);
});

test("oldest and newest entry", () => {
  expect(entriesOf([entry(4), entry(12), checkpoint(1), "_last_checkpoint", ".tmp"])).toEqual({
    oldest: 4,
    newest: 12,
  });
  expect(entriesOf([checkpoint(1)])).toBeNull();
});

import { setFlagsFromString } from 'node:v8';

/** Settings of V8 for a server: they change memory and speed only. Throws nothing, and Node 20 to 24 know them. */
export function tuneEngine(): void {
  // undici parses HTTP by one huge WebAssembly function. To optimise it takes 30 MB, and up to 10 MB of them stay. By
  // default a dozen calls are enough; now it takes a thousand.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  // A burst of requests leaves much garbage. By default the heap grows to four times its live size first. Less than this costs time.
  setFlagsFromString('--heap-growing-percent=70');
}

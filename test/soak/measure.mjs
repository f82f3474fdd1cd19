import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const ASKER = `
const { parentPort, workerData: url, threadId } = require('node:worker_threads');
const http = require('node:http');
const fs = require('node:fs');
const path = require('node:os').tmpdir() + '/robot-vasp-disk-' + process.pid + '-' + threadId;
const file = fs.openSync(path, 'w');
fs.unlinkSync(path);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
const late = [];
const disk = [];
const slow = [];
let isOver = false;
parentPort.once('message', () => { isOver = true; });
const ask = () => new Promise(resolve => {
  const since = performance.now();
  const done = ms => {
    times.push(ms);
    if (ms > 400) slow.push([new Date().toISOString().slice(11, 19), Math.round(ms)]);
    resolve();
  };
  http.get(url + '/healthcheck', { agent }, answer => answer.resume().on('end', () => done(performance.now() - since)))
    .on('error', () => done(100000));
});
(async () => {
  while (!isOver) {
    await ask();
    const since = performance.now();
    await new Promise(r => setTimeout(r, 50));
    late.push(performance.now() - since - 50);
    const written = performance.now();
    fs.writeSync(file, 'x', 0);
    fs.fsyncSync(file);
    disk.push(performance.now() - written);
  }
  parentPort.postMessage({ times, late, disk, slow: slow.slice(0, 50) });
})();`;

/**
 * Asks for the health all the time, from a thread of its own. Milliseconds; a failed call counts 100,000. `machine`: how
 * late a timer of that thread fires, which the server does not cause. `disk`: how long a write takes until it is on the
 * disk, where the server writes, too. `slow`: when an answer took more than 400 ms.
 */
export function watchHealth(url) {
  const worker = new Worker(ASKER, { eval: true, workerData: url });
  return {
    async stop() {
      worker.postMessage('stop');
      const { times, late, disk, slow } = await new Promise(resolve => worker.once('message', resolve));
      return { asked: times.length, ...shares(times), machine: shares(late), disk: shares(disk), slow };
    },
  };
}

function shares(times) {
  times.sort((a, b) => a - b);
  const at = part => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] * 10) / 10;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** Resident megabytes of a process. `growth`: the median of the last fifth, as a multiple of that after `settledMs`. */
export function watchMemory(pid, everyMs, settledMs) {
  const resident = () =>
    Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  const samples = [resident()];
  const timer = setInterval(() => {
    try {
      samples.push(resident());
    } catch {}
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      const medianOf = part => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? samples[0];
      const settled = Math.min(Math.floor(settledMs / everyMs), Math.floor(samples.length / 5));
      const last = samples.slice(Math.floor((samples.length * 4) / 5));
      return { samples, growth: medianOf(last) / medianOf(samples.slice(settled, settled + 4)) };
    },
  };
}

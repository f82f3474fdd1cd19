// Says within 3 s that the server is gone or that the live updates are broken, and when they are back.

const EVERY_MS = 1000;
const ANSWER_WITHIN_MS = 1000;
const box = document.getElementById('connection');
let isAnswering = true;
let isStreaming = true;

function show() {
  const text = !isAnswering ? TEXTS.serverGone : isStreaming ? '' : TEXTS.streamBroken;
  if (box.textContent === text) return;
  const wasBroken = box.textContent !== '';
  box.textContent = text;
  // The page reads itself again: something may have changed meanwhile.
  if (wasBroken && text === '') document.body.dispatchEvent(new Event('changed'));
}

async function look() {
  const lookAgain = () => setTimeout(look, EVERY_MS);
  if (document.hidden) return void lookAgain();
  try {
    const answer = await fetch('/healthcheck', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), cache: 'no-store' });
    isAnswering = answer.ok;
  } catch {
    isAnswering = false;
  }
  show();
  lookAgain();
}

function stream(isOpen) {
  isStreaming = isOpen;
  show();
}
document.addEventListener('stream-broken', () => stream(false));
document.addEventListener('stream-open', () => stream(true));
setTimeout(look, EVERY_MS);

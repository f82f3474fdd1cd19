// One event stream for all pages of a browser: HTTP/1.1 has six connections to a server, and every stream keeps one.

const AGAIN_MS = 1000;
/** The visible pages, each with the VASP that is signed in there. */
const visible = new Map();
let stream;
/** The VASP whose events the stream has. */
let owner;

const tell = message => {
  for (const port of visible.keys()) port.postMessage(message);
};

function open(vasp) {
  stream?.close();
  owner = vasp;
  const opened = new EventSource('/console/events');
  stream = opened;
  opened.addEventListener('open', () => tell('stream-open'));
  opened.addEventListener('changed', () => tell('changed'));
  // After a refusal a browser does not connect again by itself.
  opened.addEventListener('error', () => {
    opened.close();
    if (stream !== opened) return;
    stream = undefined;
    tell('stream-broken');
    setTimeout(keepOpen, AGAIN_MS);
  });
}

function keepOpen() {
  const vasp = [...visible.values()].at(-1);
  if (vasp === undefined) {
    stream?.close();
    stream = undefined;
  } else if (!stream || vasp !== owner) open(vasp);
}

addEventListener('connect', ({ ports: [port] }) => {
  port.onmessage = ({ data: { isVisible, vasp } }) => {
    visible.delete(port);
    if (isVisible) visible.set(port, vasp);
    keepOpen();
    // The page may be older than the last event.
    if (isVisible && stream.readyState === EventSource.OPEN) port.postMessage('changed');
  };
});

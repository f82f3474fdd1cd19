// Live updates come from a worker that all pages of the browser share. Without one the page reads itself regularly.

function listen() {
  const { port } = new SharedWorker('/console/assets/live-worker.js');
  const vasp = document.querySelector('.identity')?.textContent ?? '';
  const tell = isVisible => port.postMessage({ isVisible, vasp });
  port.onmessage = ({ data }) => document.body.dispatchEvent(new Event(data, { bubbles: true }));
  document.addEventListener('visibilitychange', () => tell(!document.hidden));
  addEventListener('pagehide', () => tell(false));
  addEventListener('pageshow', ({ persisted }) => persisted && tell(!document.hidden));
  tell(!document.hidden);
}
// htmx listens to the events of the body from here on.
if (window.SharedWorker) document.addEventListener('DOMContentLoaded', listen);

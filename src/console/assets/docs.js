const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followColours();
dark.addEventListener('change', followColours);

const partAt = (spec, path) => path.reduce((part, key) => part?.[key], spec);
const unescapeKey = key => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
const targetOf = (spec, ref) => partAt(spec, ref.slice(2).split('/').map(unescapeKey));

/** A copy without references. One that leads back into itself stays as it is. */
function dereference(spec, part, above = []) {
  if (Array.isArray(part)) return part.map(each => dereference(spec, each, above));
  if (part === null || typeof part !== 'object') return part;
  const { $ref, ...rest } = part;
  if (typeof $ref === 'string' && $ref.startsWith('#/') && !above.includes($ref))
    return { ...dereference(spec, targetOf(spec, $ref), [...above, $ref]), ...dereference(spec, rest, above) };
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, dereference(spec, each, above)]));
}

/**
 * Swagger UI parses the document as YAML. Its resolver reads the whole document again for every operation that is
 * opened, which takes seconds. Our document is JSON and refers only to itself.
 */
const quickDocument = () => ({
  fn: { resolveSubtree: async (spec, path) => ({ spec: dereference(spec, partAt(spec, path)), errors: [] }) },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          text =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
});

/** A component below a heading for screen readers. */
const below =
  (heading, title) =>
  (Original, { React }) =>
  props => [
    React.createElement(heading, { key: heading, className: 'unseen' }, title),
    React.createElement(Original, { key: title, ...props }),
  ];

/** Swagger UI nests links in buttons, leaves out a level of headings, and offers a choice of one server. */
const accessible = () => ({
  wrapComponents: {
    DeepLink:
      (_, { React }) =>
      ({ text, children }) =>
        React.createElement('span', null, text ?? children),
    operations: below('h2', 'Operations'),
    Models: below('h3', 'Data'),
    InfoContainer:
      (Original, { React }) =>
      props =>
        React.createElement('section', { 'aria-label': 'Document' }, React.createElement(Original, props)),
    ServersContainer: () => () => null,
    // In local mode every lock is open.
    ...(document.body.classList.contains('open') ? { authorizeOperationBtn: () => () => null } : {}),
  },
});

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  plugins: [quickDocument, accessible],
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The default calls a server on the internet.
  validatorUrl: null,
});

const links = [...document.querySelectorAll('.reader nav a')];

/** Opens an operation and goes there. Its address is that of the link. */
function show({ dataset: { operation }, hash }) {
  const section = decodeURIComponent(hash.split('/')[1]);
  ui.getSystem().layoutActions.show(['operations', section, operation], true);
  requestAnimationFrame(() => document.querySelector(`[id^="operations-"][id$="-${operation}"]`)?.scrollIntoView());
}
for (const link of links) link.addEventListener('click', () => show(link));

/** Only operations with every word. */
document.getElementById('docs-search').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const link of links) {
    const text = `${link.textContent} ${link.dataset.operation} ${link.hash}`.toLowerCase();
    link.parentElement.hidden = !words.every(word => text.includes(word));
  }
  for (const section of document.querySelectorAll('.reader nav section'))
    section.hidden = !section.querySelector('li:not([hidden])');
});

import { Refused } from '../client/client.ts';
import { parseDuration } from '../kernel/duration.ts';
import { silentLog } from '../kernel/log.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, cannotListen, connect } from './connection.ts';
import { cannotOpen, portOf, requireFile } from './input.ts';
import { whenStopped } from './output.ts';

const vasp = command({
  summary: 'joins the reference VASP to a running sandbox',
  details:
    'A correct VASP in the role of yours: it answers the four endpoints, pays, reports, and obeys the driver. Ctrl-C stops it and removes its endpoints.',
  options: {
    ...CONNECTION,
    port: { value: '<port>', meaning: 'port of the VASP on 127.0.0.1; 0: any free port', default: '0' },
    database: { value: '<file>', meaning: 'its SQLite file', default: ':memory:' },
    'inquiry-wait': {
      value: '<duration>',
      meaning: 'how long it waits for a report before it asks for the status, by its clock in the sandbox',
      default: '500ms',
    },
    'eth-url': { value: '<url>', meaning: 'its node where the sandbox has ETH_RPC_URL', env: 'ETH_RPC_URL' },
    'xrpl-url': { value: '<url>', meaning: 'its node where the sandbox has XRPL_URL', env: 'XRPL_URL' },
    replace: { meaning: 'join also where another VASP has registered its endpoints' },
  },
  exits: { 1: 'another VASP has registered its endpoints, or the port is taken', ...CONNECTION_EXITS },
  examples: ['robot-vasp vasp', 'robot-vasp vasp --url http://127.0.0.1:8080 --database data/vasp.sqlite'],
  async run({ values, print }) {
    const port = portOf(values.port);
    const inquiryMs = parseDuration(values['inquiry-wait']);
    if (inquiryMs === undefined) throw wrongUsage('--inquiry-wait: write for example 10s or 10m');
    const { database } = values;
    requireFile(database);
    const { url } = connect(values);
    await connect(values).self();
    const { joinSandbox, LedgerMissing, NodeUnreachable, PlaceTaken } = await import('../reference-vasp/join.ts');
    const joined = await joinSandbox({
      url,
      apiKey: values['api-key'],
      port,
      databasePath: database,
      nodes: { ETH: values['eth-url']?.split(',')[0], XRP: values['xrpl-url'] },
      waits: { inquiryMs },
      replace: values.replace,
      log: silentLog,
    })
      .catch(error => {
        throw failureOf(error, { LedgerMissing, NodeUnreachable, PlaceTaken });
      })
      .catch(cannotOpen(database))
      .catch(cannotListen({ port: '--port', host: 'HOST' }));
    const { vaspId, endpoints, customers, token } = joined;
    const accounts = customers.customers.map(
      ({ id, accounts: { ETH, XRP } }) => `  customer   ${id}: ETH ${ETH}, XRP ${XRP}`,
    );
    const { chains } = await connect(values).info();
    const unfunded = chains.filter(({ embedded }) => !embedded).map(({ symbol }) => symbol);
    const lines = [
      `the reference VASP has joined ${url} as ${vaspId}`,
      `  listens on ${joined.url}`,
      `  driver     ${endpoints.driver}`,
      `  token      ${token} (a call of yours to these addresses carries it: Authorization: Bearer)`,
      ...accounts,
      ...(unfunded.length === 0
        ? []
        : [`  Pay ${unfunded.join(' and ')} to these accounts: no faucet fills them here.`]),
    ];
    print(lines.join('\n'), { event: 'joined', url: joined.url, vaspId, endpoints, token, customers });
    whenStopped(joined.stop);
    return undefined;
  },
});
export const commands = { vasp };

/** Loaded with the reference VASP. */
type Refusals = Pick<typeof import('../reference-vasp/join.ts'), 'LedgerMissing' | 'NodeUnreachable' | 'PlaceTaken'>;

function failureOf(error: Error, { LedgerMissing, NodeUnreachable, PlaceTaken }: Refusals): Error {
  const { message } = error;
  if (error instanceof PlaceTaken)
    return new Failure(1, 'PLACE-TAKEN', `${message} Add --replace, or --api-key of another VASP.`);
  if (error instanceof Refused && error.code === 'ADDRESS-NOT-ALLOWED')
    return new Failure(
      4,
      error.code,
      `${message} A hosted sandbox calls public addresses, and the reference VASP listens on this machine. Run it beside a sandbox of your own, or let the operator set ALLOW_HTTP_CALLBACKS and CALLBACK_ALLOW.`,
    );
  if (error instanceof LedgerMissing)
    return new Failure(1, 'NO-LEDGER', `${message} Set --eth-url and --xrpl-url to the ledgers of your network.`);
  if (error instanceof NodeUnreachable)
    return new Failure(
      3,
      'CHAIN-UNREACHABLE',
      `The XRP Ledger of the sandbox does not answer here: ${message}. Set --xrpl-url to its address.`,
    );
  return error;
}

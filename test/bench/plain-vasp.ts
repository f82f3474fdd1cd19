import { createServer, type IncomingMessage } from 'node:http';
import { VASP_PATHS } from '../../src/vasps/serve-vasp.ts';
import { type StandInVasp, standInVasp } from '../support/vasp/stand-in-vasp.ts';
import { atEnd } from './process.ts';

/** The tested VASP on Node's own server, because a framework would need as much processor time as the transfers. */
export async function plainVasp(): Promise<{ vasp: StandInVasp; url: string }> {
  const vasp = standInVasp();
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request));
    const answer =
      request.url === VASP_PATHS.callback
        ? (await vasp.callback(body)).body
        : JSON.stringify(await vasp.verifyUser(body, []));
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { vasp, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise(resolve => {
    let body = '';
    request
      .on('data', chunk => {
        body += chunk;
      })
      .on('end', () => resolve(body));
  });

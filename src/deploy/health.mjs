// The health check of the image: ends with 0 when /readyz answers 200. It follows HOST, and uses no proxy.
import { Agent, get } from 'node:http';

const { HOST = '127.0.0.1', PORT = '8080' } = process.env;
const ANY = { '0.0.0.0': '127.0.0.1', '::': '::1' };

get({ host: ANY[HOST] ?? HOST, port: PORT, path: '/readyz', agent: new Agent(), timeout: 2_500 }, answer =>
  process.exit(answer.statusCode === 200 ? 0 : 1),
)
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));

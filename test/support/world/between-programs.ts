export const ROBOT_ID = '17104899575711300402';
/** What the enclave sends to the robot. */
export const TOKEN = 'token-of-the-enclave';

/** What the tested VASP sees of its enclave. */
const OF_ENCLAVE = /^\/(v1|sandbox\/v1\/(callbacks|mailbox|exchanges|vasps|assessments|signing))(\/|$)/;
const ADVANCE = '/sandbox/v1/clock/advance';

/** As `fetch` for a request to the robot: calls of the enclave go to the enclave, and both clocks move. */
export async function sendBetween(
  { enclave, robot }: { enclave: string; robot: string },
  request: Request,
): Promise<Response> {
  const atEnclave = (one: Request) => fetch(new Request(one.url.replace(robot, enclave), one));
  const { pathname } = new URL(request.url);
  if (pathname !== ADVANCE) return OF_ENCLAVE.test(pathname) ? atEnclave(request) : fetch(request);
  const answer = await fetch(request.clone());
  await atEnclave(request);
  const { url, headers } = request;
  const runDue = () => new Request(url, { method: 'POST', headers, body: '{"duration":"0s"}' });
  // What crosses between the two is done when neither has anything to do.
  for (let round = 0; round < 2; round++) {
    await fetch(runDue());
    await atEnclave(runDue());
  }
  return answer;
}

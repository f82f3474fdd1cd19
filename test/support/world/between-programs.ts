export const ROBOT_ID = '17104899575711300402';
/** What the enclave sends to the robot. */
export const TOKEN = 'token-of-the-enclave';

/** What the tested VASP sees of its enclave, and its clock. */
const OF_ENCLAVE = /^\/(v1|sandbox\/v1\/(callbacks|mailbox|exchanges|vasps|assessments|signing|clock|reset))(\/|$)/;

/** As `fetch` for a request to the robot: calls of the enclave go to the enclave. */
export const sendBetween = (
  { enclave, robot }: { enclave: string; robot: string },
  request: Request,
): Promise<Response> => {
  const isOfEnclave = OF_ENCLAVE.test(new URL(request.url).pathname);
  return fetch(isOfEnclave ? new Request(request.url.replace(robot, enclave), request) : request);
};

/** The data of a payment by which an embedded chain gives the robot money: it is no deposit. */
export const OWN_FUNDING = `0x${Buffer.from('robot-vasp: money of the robot for amounts and fees').toString('hex')}`;

/** An embedded chain refused a payment of its faucet. The message is the chain's own code or text. */
export class FaucetRefusal extends Error {
  override readonly name = 'FaucetRefusal';
}

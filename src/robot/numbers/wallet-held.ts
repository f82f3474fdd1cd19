/** D-47: the chain has used numbers of the account that the database does not know. Nothing is signed. */
export class WalletHeld extends Error {
  override readonly name = 'WalletHeld';
}

/** A form of address that other programs use. Messages do not (D-08), but the robot can say what to send instead. */
export interface AddressForm {
  /** As in a sentence: `a CAIP-10 account`. */
  name: string;
  /** The address as messages write it. */
  address: string;
}

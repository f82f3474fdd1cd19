import { refusals } from '../../contract/refusals.ts';
import type { RegisteredVasp } from './sealed-rows.ts';
import type { VaspStore } from './store.ts';

/** The VASP that `caller` names as beneficiary. Throws `Refusal` unknown-vasp, vasp-not-active, invalid-field. */
export function requireBeneficiaryVasp(store: VaspStore, beneficiaryVaspId: string, caller: string): RegisteredVasp {
  const vasp = store.find(beneficiaryVaspId);
  if (!vasp) throw refusals.unknownVasp();
  if (!vasp.isActive) throw refusals.vaspNotActive();
  if (vasp.vaspId === caller) throw refusals.invalidField('beneficiaryVaspId', 'should be another VASP');
  return vasp;
}

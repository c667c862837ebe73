export { type AddressMatch, type MatchableSet, matchAddress } from './address-match.ts';
export type { Anomaly, AnomalyKind } from './anomaly.ts';
export { canonicalMember } from './canonical-member.ts';
export { describeOperation } from './describe-operation.ts';
export { desiredHeader } from './desired-header.ts';
export { FAMILIES, type Family } from './family.ts';
export { foreignOwnerByName } from './foreign-owner.ts';
export {
  checkId,
  GROUP_KINDS,
  type GroupId,
  type GroupKind,
  isPortName,
  type ParsedGroupId,
  parseGroupId,
} from './group-id.ts';
export type { SetHeader } from './header.ts';
export { type HeaderDifference, type HeaderField, headerDifferences } from './header-differences.ts';
export { parseSetHeader } from './header-words.ts';
export {
  formatIp,
  formatIpv4,
  type IpAddress,
  type IpNetwork,
  maskIpv4,
  parseCidr,
  parseIp,
  readIpv4,
} from './ip-address.ts';
export { expandMembers, foldElements, kernelElements } from './kernel-elements.ts';
export { memberFromKernel } from './kernel-member.ts';
export {
  acknowledgementName,
  type Digest256,
  kernelName,
  setTypeOf,
  temporaryName,
} from './kernel-name.ts';
export { type ListHandlers, type ListOutput, ListParser, parseList } from './list-parser.ts';
export type { ListedSet } from './listed-set.ts';
export { isNomatch, type Member, memberKey } from './member.ts';
export type { CanonicalMember, MemberFault, MemberFaultCode } from './member-fault.ts';
export type { MemberOptions } from './member-options.ts';
export { compareMembers, sortMembers } from './member-order.ts';
export { type NamesOutput, parseNames } from './names-parser.ts';
export type { Operation } from './operation.ts';
export { type Ownership, type OwnershipOfName, ownershipOf } from './ownership.ts';
export { PORT_PROTOCOLS, protocolName, protocolNumber } from './protocol.ts';
export { isWritableMember, renderAddress, renderElement, renderOperation } from './render-operation.ts';
export {
  type ChildEnd,
  classifyFailure,
  type FailureCode,
  protocolWarnings,
  type RestoreFailure,
} from './restore-failure.ts';
export { type SaveHandlers, SaveParser, type SaveParserOptions } from './save-parser.ts';
export { commentText, isWritableSetName, parseSetName, SET_NAME_BYTES_MAX, type SetName } from './set-name.ts';
export { isManagedType, MANAGED_TYPES, type ManagedType } from './set-type.ts';

/**
 * The tool that a foreign set's name points to, or undefined. Always to be shown with "by its name": anybody may create
 * a set of any name, so it is a hint for a reader and never proof, and nothing is decided by it.
 */
export function foreignOwnerByName(name: string): string | undefined {
  return KNOWN_NAMES.find(([start]) => name.startsWith(start))?.[1];
}

/** Beginnings of set names and the tools known to use them; a longer beginning stands before a shorter one. */
const KNOWN_NAMES: readonly (readonly [start: string, tool: string])[] = [
  ['cali', 'Calico'],
  ['felix-', 'Calico (early Felix)'],
  ['azure-npm-', 'Azure NPM'],
  ['kube-router-', 'kube-router'],
  ['inet6:kube-router-', 'kube-router'],
  ['KUBE-SRC-', 'kube-router'],
  ['KUBE-DST-', 'kube-router'],
  ['inet6:KUBE-', 'kube-router'],
  ['KUBE-', 'kube-proxy'],
  ['weave-', 'Weave Net'],
  ['cilium_', 'Cilium'],
  ['ANTREA-', 'Antrea'],
  ['ovn40', 'Kube-OVN'],
  ['ovn60', 'Kube-OVN'],
  ['romana-', 'Romana'],
  ['docker', 'Docker'],
  ['f2b-', 'fail2ban'],
  ['fail2ban', 'fail2ban'],
  ['crowdsec', 'CrowdSec'],
  ['sshguard', 'SSHGuard'],
  ['firehol', 'FireHOL'],
  ['NIPv4', 'OpenStack Neutron'],
  ['NIPv6', 'OpenStack Neutron'],
  ['mwan3_', 'mwan3'],
  ['chain_DENY', 'ConfigServer Firewall'],
  ['chain_ALLOW', 'ConfigServer Firewall'],
  ['chain_6_', 'ConfigServer Firewall'],
];

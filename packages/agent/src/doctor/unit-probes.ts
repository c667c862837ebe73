import { bad, type Finding, good, type Probe } from './doctor.ts';

export interface UnitProbeParts {
  /** systemd started this agent. Elsewhere, as from a checkout, nothing is asked of units. */
  readonly isService: boolean;
  readonly mode: 'manage' | 'observe';
  /** What `systemctl is-enabled` says of a unit: nothing of one that is not there. Null where it cannot be asked. */
  readonly enablement: (unit: string) => Promise<string | null>;
}

/** What a unit is after a reboot: started, by itself or through another. */
const ENABLED = new Set(['enabled', 'enabled-runtime', 'alias', 'static', 'indirect', 'generated', 'linked']);

/** Mistakes that only the next reboot would show: units that it would not start. */
export function unitProbes({ isService, mode, enablement }: UnitProbeParts): readonly Probe[] {
  if (!isService) return [];
  const look = async (unit: string, after: string): Promise<Finding> => {
    const state = await enablement(unit);
    if (state === null) return bad(`Whether ${unit} is enabled cannot be asked.`, `systemctl is-enabled ${unit}`);
    if (state === '') return bad(`There is no ${unit}: ${after}`, 'Install the package setkeeper again.');
    return ENABLED.has(state)
      ? good(`${unit} is ${state}.`)
      : bad(`${unit} is ${state}: ${after}`, remedy(unit, state));
  };
  return [
    {
      check: 'agent unit',
      look: () => look('setkeeper.service', 'after a reboot no agent follows the model.'),
    },
    {
      check: 'boot unit',
      look: () =>
        mode === 'observe'
          ? null
          : look(
              'setkeeper-boot.service',
              'after a reboot rules that name our sets are not loaded, for there are none.',
            ),
    },
  ];
}

const remedy = (unit: string, state: string): string =>
  state.startsWith('masked') ? `systemctl unmask ${unit} && systemctl enable ${unit}` : `systemctl enable ${unit}`;

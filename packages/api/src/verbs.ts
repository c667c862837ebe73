import type { Handler } from './verb.ts';
import { auditList } from './verbs/audit-list.ts';
import { auditVerify } from './verbs/audit-verify.ts';
import { changesList } from './verbs/changes-list.ts';
import { doctorRun } from './verbs/doctor-run.ts';
import { explainAddress } from './verbs/explain-address.ts';
import { heldList } from './verbs/held-list.ts';
import { heldReject } from './verbs/held-reject.ts';
import { heldRelease } from './verbs/held-release.ts';
import { holdsAdd } from './verbs/holds-add.ts';
import { holdsList } from './verbs/holds-list.ts';
import { holdsRemove } from './verbs/holds-remove.ts';
import { kernelList } from './verbs/kernel-list.ts';
import { leaksList } from './verbs/leaks-list.ts';
import { leftoversCleanup } from './verbs/leftovers-cleanup.ts';
import { leftoversList } from './verbs/leftovers-list.ts';
import { metricsGet } from './verbs/metrics-get.ts';
import { modelDelete } from './verbs/model-delete.ts';
import { modelEndpoints } from './verbs/model-endpoints.ts';
import { modelExport } from './verbs/model-export.ts';
import { modelGroups } from './verbs/model-groups.ts';
import { modelHosts } from './verbs/model-hosts.ts';
import { modelLists } from './verbs/model-lists.ts';
import { modelNetworks } from './verbs/model-networks.ts';
import { modelProfiles } from './verbs/model-profiles.ts';
import { modelPut } from './verbs/model-put.ts';
import { modelReferences } from './verbs/model-references.ts';
import { modelValidate } from './verbs/model-validate.ts';
import { overridesAdd } from './verbs/overrides-add.ts';
import { overridesList } from './verbs/overrides-list.ts';
import { overridesRemove } from './verbs/overrides-remove.ts';
import { pinsAdd } from './verbs/pins-add.ts';
import { pinsList } from './verbs/pins-list.ts';
import { pinsRemove } from './verbs/pins-remove.ts';
import { planApply } from './verbs/plan-apply.ts';
import { planGet } from './verbs/plan-get.ts';
import { planLines } from './verbs/plan-lines.ts';
import { referencesList } from './verbs/references-list.ts';
import { runsGet } from './verbs/runs-get.ts';
import { runsList } from './verbs/runs-list.ts';
import { runsOutcomes } from './verbs/runs-outcomes.ts';
import { runsRetry } from './verbs/runs-retry.ts';
import { sessionGet } from './verbs/session-get.ts';
import { setsDrift } from './verbs/sets-drift.ts';
import { setsGet } from './verbs/sets-get.ts';
import { setsList } from './verbs/sets-list.ts';
import { setsMembers } from './verbs/sets-members.ts';
import { setsReprogram } from './verbs/sets-reprogram.ts';
import { sourcesAccept } from './verbs/sources-accept.ts';
import { sourcesList } from './verbs/sources-list.ts';
import { statusCharts } from './verbs/status-charts.ts';
import { statusGet } from './verbs/status-get.ts';
import { statusSettled } from './verbs/status-settled.ts';

/** Every verb of the API. A test walks this list with every role. */
export const verbs = {
  'status.get': statusGet,
  'status.settled': statusSettled,
  'status.charts': statusCharts,
  'sets.list': setsList,
  'sets.get': setsGet,
  'sets.members': setsMembers,
  'sets.drift': setsDrift,
  'sets.reprogram': setsReprogram,
  'plan.get': planGet,
  'plan.lines': planLines,
  'plan.apply': planApply,
  'runs.list': runsList,
  'runs.get': runsGet,
  'runs.outcomes': runsOutcomes,
  'runs.retry': runsRetry,
  'sources.list': sourcesList,
  'sources.accept': sourcesAccept,
  'held.list': heldList,
  'held.release': heldRelease,
  'held.reject': heldReject,
  'holds.list': holdsList,
  'holds.add': holdsAdd,
  'holds.remove': holdsRemove,
  'overrides.list': overridesList,
  'overrides.add': overridesAdd,
  'overrides.remove': overridesRemove,
  'pins.list': pinsList,
  'pins.add': pinsAdd,
  'pins.remove': pinsRemove,
  'leftovers.list': leftoversList,
  'leftovers.cleanup': leftoversCleanup,
  'references.list': referencesList,
  'leaks.list': leaksList,
  'kernel.list': kernelList,
  'explain.address': explainAddress,
  'model.groups': modelGroups,
  'model.endpoints': modelEndpoints,
  'model.profiles': modelProfiles,
  'model.networks': modelNetworks,
  'model.lists': modelLists,
  'model.hosts': modelHosts,
  'model.references': modelReferences,
  'model.put': modelPut,
  'model.delete': modelDelete,
  'model.validate': modelValidate,
  'model.export': modelExport,
  'changes.list': changesList,
  'audit.list': auditList,
  'audit.verify': auditVerify,
  'doctor.run': doctorRun,
  'metrics.get': metricsGet,
  'session.get': sessionGet,
} as const;

export type VerbName = keyof typeof verbs;

/** What the agent implements: one handler a verb. */
export type Handlers = { readonly [Name in VerbName]: Handler<(typeof verbs)[Name]> };

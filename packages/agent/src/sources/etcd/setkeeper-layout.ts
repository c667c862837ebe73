import type { Fault } from '@setkeeper/api';
import { checkId } from '@setkeeper/ipset';
import { type ObjectKey, objectKey } from '../../model/objects.ts';
import { parseObject } from '../../model/parse-object.ts';
import { kindOfSection, SECTIONS } from '../../model/section.ts';
import { visibleText } from '../../model/visible-text.ts';
import type { EtcdChange } from './etcd-connection.ts';
import type { EtcdLayout, LaidOut } from './etcd-layout.ts';

/** One key an object: `<section>/<id>` with that object's JSON. */
export class SetkeeperLayout implements EtcdLayout {
  readonly #changed = new Map<ObjectKey, LaidOut>();
  readonly #faults = new Map<string, readonly Fault[]>();

  set({ key, value, isText }: EtcdChange): void {
    this.#faults.delete(key);
    const slash = key.indexOf('/');
    const kind = kindOfSection(key.slice(0, Math.max(0, slash)));
    const id = key.slice(slash + 1);
    const idFault = kind === undefined ? undefined : checkId(id);
    if (kind === undefined || idFault !== undefined) {
      const reason =
        kind === undefined ? `a key is SECTION/ID with SECTION one of ${SECTION_NAMES}` : `the id ${idFault}`;
      if (value !== null) this.#fault(key, reason);
      return;
    }
    const object = objectKey(kind, id);
    if (value === null) {
      this.#changed.set(object, { is: 'gone' });
    } else if (!isText) {
      this.#changed.set(object, { is: 'faulty' });
      this.#fault(key, 'is not UTF-8 text');
    } else {
      const { text, faults } = parseObject(kind, id, value, visibleText(key));
      if (faults.length > 0) this.#faults.set(key, faults);
      this.#changed.set(object, text === null ? { is: 'faulty' } : { is: 'value', text });
    }
  }

  take(): ReadonlyMap<ObjectKey, LaidOut> {
    const changed = new Map(this.#changed);
    this.#changed.clear();
    return changed;
  }

  faults(): readonly Fault[] {
    return [...this.#faults.values()].flat();
  }

  #fault(key: string, reason: string): void {
    const file = visibleText(key);
    this.#faults.set(key, [{ file, line: 1, path: file, reason, severity: 'error' }]);
  }
}

const SECTION_NAMES = Object.keys(SECTIONS).join(', ');

import { renderOperation, type SetName } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import { GroupBuilder } from './group-builder.ts';
import type { LineGroup } from './line-group.ts';
import { elementText, lineText } from './line-text.ts';
import type { Outcomes } from './outcomes.ts';
import type { RestoreChild } from './restore-child.ts';
import { type MemberLines, membersAt, type ScriptLine, type ScriptLines, targetOf } from './script-lines.ts';

/**
 * What to send next: a group; nothing before all under way is acknowledged; nothing before the kernel has counted the
 * temporary set of a rewrite; another child first; nothing more.
 */
export type NextGroup =
  | { readonly kind: 'group'; readonly group: LineGroup }
  | { readonly kind: 'count-temp'; readonly sectionIndex: number }
  | { readonly kind: 'drain' | 'change-child' | 'finished' };

/**
 * Cuts a plan into groups of lines for a child, from a cursor that can be set back. Holds the rules of what a child must
 * have seen before a line: a set's create first, a swap alone, a temporary set that is whole.
 */
export class ScriptFeeder {
  /** The next line (from 0) to be sent. */
  cursor = 0;
  /** Up to this line every line gets an acknowledgement of its own. */
  acknowledgeEachTo = 0;
  readonly #script: ScriptLines;
  readonly #outcomes: Outcomes;
  readonly #run: number;
  readonly #setsAChildMax: number;
  readonly #isAcknowledgedAtOnce: boolean;
  /**
   * The line behind the last destroy of a recreate. Sent twice, that destroy could meet a list that holds the new set by
   * then, so nothing behind it is sent before its acknowledgement can be seen.
   */
  #barrier = -1;
  /** Rewrites whose temporary set was begun in this run. */
  readonly #begun = new Set<number>();
  /** The child that freed the temporary set of a rewrite which begins again. */
  readonly #clearedBy = new Map<number, RestoreChild>();
  /** Rewrites whose fill went on in another child, and whose temporary set must be counted before the swap. */
  readonly #doubted = new Set<number>();
  readonly #counted = new Set<number>();
  /** Rewrites whose main was destroyed by somebody before the swap. */
  readonly #mends = new Set<number>();

  constructor(options: {
    readonly script: ScriptLines;
    readonly outcomes: Outcomes;
    readonly run: number;
    readonly setsAChildMax: number;
    /** False: acknowledgements are seen at a child's end alone. */
    readonly isAcknowledgedAtOnce: boolean;
  }) {
    this.#script = options.script;
    this.#outcomes = options.outcomes;
    this.#run = options.run;
    this.#setsAChildMax = options.setsAChildMax;
    this.#isAcknowledgedAtOnce = options.isAcknowledgedAtOnce;
  }

  get isFinished(): boolean {
    this.cursor = this.#outcomes.nextOpen(this.cursor);
    return this.cursor >= this.#script.total;
  }

  /** The temporary set of this rewrite was counted by the kernel and is whole. */
  countedWhole(sectionIndex: number): void {
    this.#counted.add(sectionIndex);
  }

  mendMain(sectionIndex: number): void {
    this.#mends.add(sectionIndex);
  }

  /** Runs a section again from its first line; its temporary set is freed first. */
  restartSection(sectionIndex: number): void {
    const start = this.#script.startOf(sectionIndex);
    this.#outcomes.reopen(start, this.#script.endOf(sectionIndex));
    this.#counted.delete(sectionIndex);
    this.#doubted.delete(sectionIndex);
    this.#clearedBy.delete(sectionIndex);
    this.cursor = Math.min(this.cursor, start);
  }

  next(child: RestoreChild, isAnythingUnderWay: boolean): NextGroup {
    if (this.isFinished) return { kind: 'finished' };
    if (this.#barrier === this.cursor && isAnythingUnderWay && !this.#isAcknowledgedAtOnce) return { kind: 'drain' };
    const first = this.#script.at(this.cursor);
    if (this.#isFull(child, first)) return { kind: isAnythingUnderWay ? 'drain' : 'change-child' };
    if (first.step === 'swap') return this.#swap(first, child, isAnythingUnderWay);
    return this.#plainLines(child);
  }

  #swap(line: ScriptLine, child: RestoreChild, isAnythingUnderWay: boolean): NextGroup {
    const { sectionIndex, section } = line;
    if (this.#doubted.has(sectionIndex) && !this.#counted.has(sectionIndex)) {
      return isAnythingUnderWay ? { kind: 'drain' } : { kind: 'count-temp', sectionIndex };
    }
    const group = new GroupBuilder(child.acknowledgement, line.line);
    if (this.#mends.delete(sectionIndex)) {
      group.service({ kind: 'mend-main', sectionIndex }, this.#createText(section, section.set));
    }
    this.#append(group, line);
    this.#note(child, section.set);
    this.cursor = line.line + 1;
    return { kind: 'group', group: group.build(this.cursor) };
  }

  #plainLines(child: RestoreChild): NextGroup {
    const from = this.cursor;
    const group = new GroupBuilder(child.acknowledgement, from);
    while (!this.isFinished && group.hasRoom) {
      const line = this.#script.at(this.cursor);
      if (line.step === 'swap' || (group.size > 0 && this.#isFull(child, line))) break;
      const isAlone = this.cursor < this.acknowledgeEachTo;
      if (isAlone && group.size > 0) break;
      if (this.#prepare(group, line, child) && isAlone) break;
      const members = isAlone ? null : membersAt(line);
      if (members !== null) {
        this.#appendMembers(group, line.section, targetOf(line.section, line.step), members);
        continue;
      }
      const isSent = this.#append(group, line);
      this.cursor = line.line + 1;
      if (isSent) this.#note(child, targetOf(line.section, line.step));
      if (isSent && line.step === 'recreate') {
        this.#barrier = this.cursor;
        break;
      }
      if (isSent && isAlone) break;
    }
    if (group.size === 0) return this.isFinished ? { kind: 'finished' } : this.next(child, true);
    return { kind: 'group', group: group.build(this.cursor) };
  }

  /** Adds the lines of ours that must stand before this one; true if there were any. */
  #prepare(group: GroupBuilder, line: ScriptLine, child: RestoreChild): boolean {
    const { step, section, sectionIndex } = line;
    if (step === 'create-temp') {
      if (!this.#begun.has(sectionIndex)) {
        this.#begun.add(sectionIndex);
        return false;
      }
      if (this.#clearedBy.get(sectionIndex) === child) return false;
      this.#clearedBy.set(sectionIndex, child);
      group.service(
        { kind: 'clear-temp', sectionIndex },
        renderOperation({ op: 'destroy', set: targetOf(section, step) }),
      );
      return true;
    }
    if (step !== 'add' && step !== 'del' && step !== 'fill') return false;
    const set = targetOf(section, step);
    if (child.primed.has(set)) return false;
    if (step === 'fill') this.#doubted.add(sectionIndex);
    group.service({ kind: 'prime', sectionIndex }, this.#createText(section, set));
    this.#note(child, set);
    return true;
  }

  /** Puts members from the cursor on into the group, as many as there is room for: the loop that runs for a million of them. */
  #appendMembers(group: GroupBuilder, section: Section, set: SetName, { op, members, firstLine }: MemberLines): void {
    const command = `${op} ${set} `;
    const end = firstLine + members.length;
    while (this.cursor < end && group.hasRoom && this.#outcomes.isOpen(this.cursor)) {
      const member = members[this.cursor - firstLine];
      const text = member === undefined ? null : elementText(section, op, member);
      if (text === null) this.#append(group, this.#script.at(this.cursor));
      else group.line(this.cursor, command + text);
      this.cursor++;
    }
  }

  /** Puts a line of the plan into the group. One that may not be written is rejected at once, and not sent. */
  #append(group: GroupBuilder, line: ScriptLine): boolean {
    const rendered = lineText(line);
    if (rendered.ok) {
      group.line(line.line, rendered.text);
      return true;
    }
    this.#outcomes.reject(line.line, { code: 'syntax', message: rendered.reason, raw: '' });
    if (line.step === 'create' || line.step === 'create-temp' || line.step === 'recreate') {
      this.#outcomes.skip(line.line + 1, this.#script.endOf(line.sectionIndex), line.line);
    }
    return false;
  }

  /** The create of a section's set once more. Its header was rendered before, as the section's own create. */
  #createText(section: Section, set: SetName): string {
    if (section.header === null) throw new TypeError(`The section of ${section.set} has no header`);
    return renderOperation({ op: 'create', set, header: section.header });
  }

  #note(child: RestoreChild, set: SetName): void {
    child.primed.add(set);
    if (!child.touched.has(set)) child.touched.set(set, this.#run);
  }

  /**
   * libipset's list of known sets is linear: a child that has had enough of them makes room for a new one, between two
   * sections. Destroys do not make it longer (10,000 in one process: 0.06 s, KERNEL.md section 8).
   */
  #isFull(child: RestoreChild, line: ScriptLine): boolean {
    const isDestroy = line.section.how === 'destroy';
    return line.offset === 0 && !isDestroy && child.primed.size >= this.#setsAChildMax;
  }
}

import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it('runs the example model on port 8470 when nothing is said', () => {
    expect(parseOptions([])).toEqual({
      kind: 'options',
      options: { mode: 'private', port: 8470, model: undefined, logins: false },
    });
  });

  it('takes a port, a model directory and a mode', () => {
    expect(parseOptions(['--port=0', '--model', 'm', '--no-install'])).toEqual({
      kind: 'options',
      options: { mode: 'private', port: 0, model: 'm', logins: false },
    });
    expect(parseOptions(['--observe'])).toMatchObject({ options: { mode: 'observe' } });
    expect(parseOptions(['--logins'])).toMatchObject({ options: { mode: 'private', logins: true } });
  });

  it("always asks who one is where this host's own sets can be changed", () => {
    expect(parseOptions(['--host'])).toMatchObject({ options: { mode: 'host', logins: true } });
  });

  it.each([
    [['--port', 'x'], 'not a port'],
    [['--port', '70000'], 'not a port'],
    [['--port', '80'], 'below 1024'],
    [['--host', '--observe'], 'exclude each other'],
    [['--host', '--model', 'm'], 'agent.yaml'],
    [['--observe', '--model', 'm'], 'has no model'],
    [['--model='], 'needs a directory'],
    [['--prot', '1'], '--prot'],
    [['model'], 'model'],
  ])('says in a sentence what is wrong with %j', (args, words) => {
    expect(parseOptions(args)).toEqual({ kind: 'wrong', sentence: expect.stringContaining(words) });
  });
});

import type { ScriptStep } from '../../../service/agent/script';
import { World } from './world';
const clean: ScriptStep = { act: [{ command: 'git clean', output: 'x', risk: 'HIGH' }] };
const look: ScriptStep = { act: [{ command: 'ls', output: 'a', risk: 'LOW' }] };
describe('clock', () => {
  for (const skew of [-3_600_000, -40_000, 3_600_000, 86_400_000 * 365])
    it(`skew ${skew}`, async () => {
      const world = new World({ release: '1.58.0', script: [{ say: 'One.' }, clean, { say: 'Two.' }, { say: 'Three' }] });
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Go'));
      await world.advance(200_000);
      console.log('before', model.head.execution, model.entries.length);
      world.conversation.log.skewMs = skew;
      const at = world.clock.now();
      model.onDidChange(() => undefined);
      const sent = world.finish(model.send('Again'));
      let shown: number | undefined, told: number | undefined;
      for (let s = 0; s < 200; s += 1) {
        await world.advance(1_000);
        if (told === undefined && world.conversation.status === 'waiting_for_confirmation') told = s;
        if (shown === undefined && model.head.pending.length > 0 && model.head.proof === 'whole') { shown = s; break; }
      }
      await sent;
      console.log(skew, 'waits at', told, 'shown at', shown, model.head.execution, model.head.outgoing.length, model.head.proof);
      // back to right
      world.conversation.log.skewMs = 0;
      const ok = await world.finish(model.approve(model.head.pending.map(({ id }) => id)));
      await world.advance(30_000);
      console.log(ok, model.head.execution, model.entries.map((e) => (e.kind === 'message' ? e.text.text : e.kind === 'step' ? e.state : e.kind)).join('|'), world.clock.now() - at);
    });
  it('without my own sending: another window sends', async () => {
    for (const skew of [0, -3_600_000]) {
      const world = new World({ release: '1.58.0', script: [{ say: 'One.' }, look, clean] , policy: {kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true}});
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Go'));
      await world.advance(200_000);
      world.conversation.log.skewMs = skew;
      world.conversation.message('Other', true);
      let shown: number | undefined, told: number | undefined, running: number|undefined;
      for (let s = 0; s < 200; s += 1) {
        await world.advance(1_000);
        if (running === undefined && model.head.execution === 'running') running = s;
        if (told === undefined && world.conversation.status === 'waiting_for_confirmation') told = s;
        if (shown === undefined && model.head.pending.length > 0 && model.head.proof === 'whole') { shown = s; break; }
      }
      console.log('other', skew, 'running', running, 'waits at', told, 'shown at', shown, model.head.execution, model.head.proof);
    }
  });
  it('own clock set back or forward while following', async () => {
    console.log('skip');
  });
});

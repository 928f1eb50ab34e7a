import { AppError } from '@portal/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginning, decodeCursor, encodeCursor } from './cursor.ts';

const owner = { partnerId: 1, userId: 2 };
const moment = fc.record({ change: fc.nat(), applications: fc.nat(), time: fc.nat() });

describe('A cursor', () => {
  it('comes back as it went out, to its owner alone', () => {
    const rest = fc.record({ after: fc.nat(), from: fc.oneof(moment, fc.constant(beginning)) });
    const cursor = fc.oneof(fc.record({ upTo: moment }), fc.record({ upTo: moment, rest }));
    fc.assert(
      fc.property(cursor, (value) => {
        const text = encodeCursor(owner, value);
        expect(decodeCursor(owner, text)).toEqual(value);
        expect(() => decodeCursor({ ...owner, userId: 3 }, text)).toThrow(AppError);
        expect(() => decodeCursor({ ...owner, partnerId: 3 }, text)).toThrow(AppError);
      }),
    );
  });

  it('is refused when it is anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(owner, text)).toThrow(AppError);
      }),
    );
    for (const values of [
      '2.1.2.-1.5.5',
      '2.1.2.5.-5.5',
      '2.1.2.5.5.-5',
      '2.1.2.5.5.1e99',
      '2.1.2.5.5.9999999999999999',
      '2.1.2.5.5',
      '2.1.2.5.5.5.5',
      '2.1.2.5.5.5.5.-2.0.0',
      '3.1.2.5.5.5',
      '1.1.2.-1.5',
      '1.1.2.5.5.5',
      '1.1.2.5',
    ]) {
      expect(() => decodeCursor(owner, Buffer.from(values).toString('base64url'))).toThrow(AppError);
    }
  });
  it('of the form from before there were applications knows none', () => {
    const former = (values: string) => decodeCursor(owner, Buffer.from(values).toString('base64url'));
    expect(former('1.1.2.7.50')).toEqual({ upTo: { change: 7, applications: 0, time: 50 } });
    expect(former('1.1.2.7.50.3.-1.0')).toEqual({
      upTo: { change: 7, applications: 0, time: 50 },
      rest: { after: 3, from: beginning },
    });
  });
});

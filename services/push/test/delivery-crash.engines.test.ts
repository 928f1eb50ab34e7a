import { testCrashes } from './delivery-crash.ts';

testCrashes({ count: 50_000, killsThird: true, answerMs: 0 });

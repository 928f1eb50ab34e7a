import { testCrashes } from './delivery-crash.ts';

testCrashes({ count: 4_000, killsThird: false, answerMs: 400 });

import { lookAtScreensOf } from '../../support/look-at-screens.ts';

lookAtScreensOf('admin');

import { serveWorker } from '../platform/workers/worker-rpc';
import {
  serveDoctorWorker,
  type DoctorWorkerEvents,
  type DoctorWorkerMethods,
} from '../platform/doctor/doctor-worker';

serveWorker<DoctorWorkerMethods, DoctorWorkerEvents>((_options, emit) => serveDoctorWorker(emit));

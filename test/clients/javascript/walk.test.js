// A walk with Kubernetes' client for JavaScript, against the server that KUBECONFIG names.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {PassThrough} from 'node:stream';
import {setTimeout} from 'node:timers/promises';
import * as k8s from '@kubernetes/client-node';

const patience = 60_000;
const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const batch = config.makeApiClient(k8s.BatchV1Api);
const objects = k8s.KubernetesObjectApi.makeApiClient(config);
let namespace;

before(async () => {
  const made = await core.createNamespace({body: {metadata: {generateName: 'javascript-'}}});
  namespace = made.metadata.name;
});

after(async () => {
  await core.deleteNamespace({name: namespace});
});

/** web is a Deployment of nginx. */
function web(name, replicas = 1) {
  const labels = {app: name};
  return {
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name, namespace},
    spec: {
      replicas, selector: {matchLabels: labels},
      template: {metadata: {labels}, spec: {containers: [{name: 'nginx', image: 'nginx:1.28'}]}},
    },
  };
}

/** watched resolves with the first object for which holds is true, of those that are there and those that come. */
function watched(path, query, list, holds) {
  const informer = k8s.makeInformer(config, path, list, query.labelSelector, query.fieldSelector);
  const found = new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => reject(new Error(`nothing that was awaited came on ${path}`)), patience);
    for (const event of ['add', 'update', 'delete']) {
      informer.on(event, (object) => {
        if (holds(object)) {
          clearTimeout(timer);
          resolve(object);
        }
      });
    }
    informer.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
  return informer.start().then(() => found).finally(() => informer.stop());
}

const deployments = () => `/apis/apps/v1/namespaces/${namespace}/deployments`;

function available(name, replicas) {
  return watched(deployments(), {fieldSelector: `metadata.name=${name}`},
    () => apps.listNamespacedDeployment({namespace, fieldSelector: `metadata.name=${name}`}),
    (d) => d.metadata.generation === d.status?.observedGeneration && (d.status?.availableReplicas ?? 0) === replicas);
}

test('a Deployment is created, watched, scaled, patched and deleted', async () => {
  await apps.createNamespacedDeployment({namespace, body: web('web', 2)});
  await available('web', 2);

  const scale = await apps.readNamespacedDeploymentScale({namespace, name: 'web'});
  scale.spec.replicas = 3;
  await apps.replaceNamespacedDeploymentScale({namespace, name: 'web', body: scale});
  await available('web', 3);

  const patched = await apps.patchNamespacedDeployment(
    {namespace, name: 'web', body: {spec: {replicas: 1, template: {spec: {containers: [{name: 'nginx', image: 'nginx:1.29'}]}}}}},
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.StrategicMergePatch));
  assert.equal(patched.spec.template.spec.containers[0].image, 'nginx:1.29');
  await available('web', 1);

  await apps.deleteNamespacedDeployment({namespace, name: 'web', propagationPolicy: 'Foreground'});
  for (const end = Date.now() + patience; Date.now() < end; await setTimeout(50)) {
    const {items} = await apps.listNamespacedDeployment({namespace});
    if (items.length === 0) {
      break;
    }
  }
  const left = await core.listNamespacedPod({namespace, labelSelector: 'app=web'});
  assert.deepEqual(left.items, [], 'Pods go before their Deployment');
});

test('errors are what the client expects', async () => {
  await assert.rejects(core.readNamespacedPod({namespace, name: 'nobody'}), (error) => {
    assert.ok(error instanceof k8s.ApiException);
    assert.equal(error.code, 404);
    assert.equal(JSON.parse(error.body).reason, 'NotFound');
    return true;
  });
  const stale = await core.createNamespacedConfigMap({namespace, body: {metadata: {name: 'stale'}, data: {n: '1'}}});
  await core.replaceNamespacedConfigMap({namespace, name: 'stale', body: {...stale, data: {n: '2'}}});
  await assert.rejects(core.replaceNamespacedConfigMap({namespace, name: 'stale', body: {...stale, data: {n: '3'}}}), {code: 409});
});

test('an object is applied by two managers, who may not take what is the other\'s', async () => {
  const apply = (manager, data, force) => objects.patch(
    {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'shared', namespace}, data},
    undefined, undefined, manager, force, k8s.PatchStrategy.ServerSideApply);
  await apply('ann', {color: 'red'});
  await apply('bob', {size: 'big'});
  await assert.rejects(apply('bob', {color: 'blue'}), {code: 409});
  const taken = await apply('bob', {color: 'blue'}, true);
  assert.deepEqual(taken.data, {color: 'blue'}, 'what bob no longer applies is gone, and ann owns nothing any more');
});

test('the log of a Job is followed to its end', async () => {
  await batch.createNamespacedJob({namespace, body: {
    metadata: {name: 'count'},
    spec: {template: {spec: {restartPolicy: 'Never', containers: [
      {name: 'count', image: 'busybox:1.36', command: ['sh', '-c', 'for i in 1 2 3; do echo $i; sleep 0.1; done']},
    ]}}},
  }});
  const selector = 'batch.kubernetes.io/job-name=count';
  const pod = await watched(`/api/v1/namespaces/${namespace}/pods`, {labelSelector: selector},
    () => core.listNamespacedPod({namespace, labelSelector: selector}), (p) => p.status?.phase === 'Running' || p.status?.phase === 'Succeeded');
  const out = new PassThrough();
  await new k8s.Log(config).log(namespace, pod.metadata.name, 'count', out, {follow: true});
  let text = '';
  for await (const piece of out) {
    text += piece;
  }
  assert.equal(text, '1\n2\n3\n');
  await watched(`/apis/batch/v1/namespaces/${namespace}/jobs`, {}, () => batch.listNamespacedJob({namespace}), (j) => j.status?.succeeded === 1);
});

test('an informer sees what was there, what comes and what goes', async () => {
  const seen = [];
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const informer = k8s.makeInformer(config, path, () => core.listNamespacedSecret({namespace}));
  const gone = new Promise((resolve, reject) => {
    informer.on('add', (s) => seen.push(`add ${s.metadata.name}`));
    informer.on('update', (s) => seen.push(`update ${s.metadata.name}`));
    informer.on('delete', (s) => {
      seen.push(`delete ${s.metadata.name}`);
      if (s.metadata.name === 'second') {
        resolve();
      }
    });
    informer.on('error', reject);
    globalThis.setTimeout(() => reject(new Error(`saw only ${seen}`)), patience).unref();
  });
  await core.createNamespacedSecret({namespace, body: {metadata: {name: 'first'}}});
  await informer.start();
  await core.createNamespacedSecret({namespace, body: {metadata: {name: 'second'}, stringData: {word: 'a'}}});
  await core.patchNamespacedSecret({namespace, name: 'second', body: [{op: 'add', path: '/metadata/labels', value: {tier: 'low'}}]});
  await core.deleteNamespacedSecret({namespace, name: 'second'});
  await gone.finally(() => informer.stop());
  assert.deepEqual(seen, ['add first', 'add second', 'update second', 'delete second']);
});

test('a command is executed in a Pod, reads what it is given, and its exit code arrives', async () => {
  await core.createNamespacedPod({namespace, body: {
    metadata: {name: 'box'}, spec: {containers: [{name: 'main', image: 'busybox:1.36', command: ['sleep', '1000']}]},
  }});
  await watched(`/api/v1/namespaces/${namespace}/pods`, {fieldSelector: 'metadata.name=box'},
    () => core.listNamespacedPod({namespace, fieldSelector: 'metadata.name=box'}), (p) => p.status?.phase === 'Running');
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [out, err] = ['', ''];
  stdout.on('data', (piece) => { out += piece; });
  stderr.on('data', (piece) => { err += piece; });
  const status = await new Promise((resolve, reject) => {
    new k8s.Exec(config).exec(namespace, 'box', 'main', ['sh', '-c', 'read word; echo "got $word"; echo told >&2; exit 3'],
      stdout, stderr, stdin, false, resolve).catch(reject);
    stdin.write('this\n');
  });
  assert.equal(status.status, 'Failure');
  assert.equal(status.details.causes[0].message, '3');
  assert.equal(out, 'got this\n');
  assert.equal(err, 'told\n');
});

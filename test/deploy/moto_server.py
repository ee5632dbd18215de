"""moto's server, with what its CloudFormation and its EventBridge lack for the stacks of cdk/.

A resource that moto's CloudFormation does not know, or makes without all of its properties, is made with the call that
makes it, with the properties as CloudFormation has resolved them; botocore refuses one that the call does not have.

Takes the arguments of moto.server. ESR_LAMBDA_URL is where functions are invoked.
"""

import json
import os
import sys

import boto3
import requests
from moto import server
from moto.awslambda.models import LambdaFunction, LayerVersion
from moto.core.common_models import CloudFormationModel
from moto.events.models import EventBus, Rule

aws = boto3.Session(aws_access_key_id="AKIACLOUDFORMATION", aws_secret_access_key="cloudformation")
endpoint = f"http://127.0.0.1:{sys.argv[sys.argv.index('-p') + 1]}"


def api(client, name, properties):
    made = client.create_api(**properties)
    return made["ApiId"], {"ApiEndpoint": made["ApiEndpoint"]}


def integration(client, name, properties):
    return client.create_integration(**properties)["IntegrationId"], {}


def route(client, name, properties):
    return client.create_route(**properties)["RouteId"], {}


def stage(client, name, properties):
    return client.create_stage(**properties)["StageName"], {}


def alarm(client, name, properties):
    client.put_metric_alarm(AlarmName=name, **properties)
    [made] = client.describe_alarms(AlarmNames=[name])["MetricAlarms"]
    return name, {"Arn": made["AlarmArn"]}


def bus_policy(client, name, properties):
    statement = {"Sid": properties["StatementId"], **properties["Statement"]}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    client.put_permission(EventBusName=properties["EventBusName"], Policy=json.dumps(policy))
    return name, {}


def function(client, name, properties):
    tags = {tag["Key"]: tag["Value"] for tag in properties.pop("Tags", [])}
    made = client.create_function(**properties, Tags=tags)
    return made["FunctionName"], {"Arn": made["FunctionArn"]}


def invoke_config(client, name, properties):
    client.put_function_event_invoke_config(**properties)
    return name, {}


def metric_filter(client, name, properties):
    def lower(value):
        if isinstance(value, dict):
            return {key[0].lower() + key[1:]: lower(each) for key, each in value.items()}
        return [lower(each) for each in value] if isinstance(value, list) else value

    client.put_metric_filter(filterName=name, **lower(properties))
    return name, {}


def queue_policy(client, name, properties):
    for url in properties["Queues"]:
        client.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(properties["PolicyDocument"])})
    return name, {}


def schedule(client, name, properties):
    return name, {"Arn": client.create_schedule(Name=name, **properties)["ScheduleArn"]}


def secret(client, name, properties):
    generate = properties.pop("GenerateSecretString")
    text = client.get_random_password(**generate)["RandomPassword"]
    return client.create_secret(Name=name, SecretString=text, **properties)["ARN"], {}


def secret_policy(client, name, properties):
    policy = json.dumps(properties["ResourcePolicy"])
    client.put_resource_policy(SecretId=properties["SecretId"], ResourcePolicy=policy)
    return name, {}


made_by_calls = {
    "AWS::ApiGatewayV2::Api": ("apigatewayv2", api),
    "AWS::ApiGatewayV2::Integration": ("apigatewayv2", integration),
    "AWS::ApiGatewayV2::Route": ("apigatewayv2", route),
    "AWS::ApiGatewayV2::Stage": ("apigatewayv2", stage),
    "AWS::CloudWatch::Alarm": ("cloudwatch", alarm),
    "AWS::Events::EventBusPolicy": ("events", bus_policy),
    "AWS::Lambda::Function": ("lambda", function),  # moto's own leaves out the layers
    "AWS::Lambda::EventInvokeConfig": ("lambda", invoke_config),
    "AWS::Logs::MetricFilter": ("logs", metric_filter),
    "AWS::SQS::QueuePolicy": ("sqs", queue_policy),
    "AWS::Scheduler::Schedule": ("scheduler", schedule),
    "AWS::SecretsManager::ResourcePolicy": ("secretsmanager", secret_policy),
    "AWS::SecretsManager::Secret": ("secretsmanager", secret),
}


def model(type_name, service, make):
    """What moto's CloudFormation asks of a type; it finds the subclasses by itself."""

    class Model(CloudFormationModel):
        # moto keeps instances by the service in the name of the module.
        __module__ = "moto.cloudformation.models"

        def __init__(self, made):
            self.physical_resource_id, self.attributes = made

        def get_cfn_attribute(self, name):
            return self.attributes[name]

        @staticmethod
        def cloudformation_type():
            return type_name

        @classmethod
        def create_from_cloudformation_json(cls, name, resource, account, region, **_):
            client = aws.client(service, region_name=region, endpoint_url=endpoint)
            return cls(make(client, name, resource["Properties"]))

    return Model


# A reference keeps the classes. Of two of a type the later holds: moto's own are imported above.
models = [model(type_name, *how) for type_name, how in made_by_calls.items()]

# What `Ref` gives; moto's CloudFormation gives the model itself.
EventBus.physical_resource_id = property(lambda bus: bus.name)
LayerVersion.physical_resource_id = property(lambda layer: layer.arn)

# Nothing is run in Docker, which moto asks for when it lists what it holds.
LambdaFunction.docker_client = None


def deliver(rule, event, transform_input=True):
    """As an asynchronous invocation: moto's EventBridge matches the events, but does not know functions as targets."""
    if not rule.event_pattern.matches_event(event):
        return
    for target in rule.targets:
        url = f"{os.environ['ESR_LAMBDA_URL']}/2015-03-31/functions/{target['Arn']}/invocations"
        requests.post(url, json=event, headers={"X-Amz-Invocation-Type": "Event"}, timeout=10).raise_for_status()


Rule.send_to_targets = deliver

server.main()

// clFFT's times on the first device that is a CPU, or whose name contains DEVICE, in lines of a name and milliseconds:
//
//     clfft [--device DEVICE] [--points K] [--samples K] NAMES
//
// Names are as c2c-f32-1024 or c2c-f64-1000, and mean what they mean to cl-fft/examples/fft_timing.rs: complex numbers
// in place, batched to 2^27 points of f32 (K), half as many of f64. Times are the host's, from the call until the device
// has finished, medians of 15. A length that clFFT does not support is left out.
//
//     cc -O2 -o clfft clfft.c -lclFFT -lOpenCL

#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SAMPLES 1000

static void check(const cl_int error, const char *const what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "error: %s: %d\n", what, error);
        exit(1);
    }
}

static cl_device_id device_of(const char *const wanted)
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < platform_count && p < 16; ++p) {
        cl_device_id devices[16];
        cl_uint count = 0;
        const cl_device_type type = wanted ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_CPU;
        if (clGetDeviceIDs(platforms[p], type, 16, devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < 16; ++d) {
            char name[1024] = "";
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
            if (!wanted || strstr(name, wanted))
                return devices[d];
        }
    }
    fprintf(stderr, "error: no such device\n");
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * time.tv_sec + 1e-6 * time.tv_nsec;
}

static int ascending(const void *const a, const void *const b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(cl_context context, cl_command_queue queue, const char *const name, int points, const int samples)
{
    const int doubles = strncmp(name, "c2c-f64-", 8) == 0;
    const size_t length = strtoul(name + (strlen(name) < 8 ? 0 : 8), NULL, 10);
    if ((!doubles && strncmp(name, "c2c-f32-", 8) != 0) || length == 0) {
        fprintf(stderr, "error: %s is no name such as c2c-f32-1024\n", name);
        exit(1);
    }
    points -= doubles;
    const size_t room = (size_t)1 << points, batch = room / length ? room / length : 1;
    const size_t numbers = 2 * batch * length, bytes = numbers * (doubles ? 8 : 4);
    clfftPlanHandle plan;
    if (clfftCreateDefaultPlan(&plan, context, CLFFT_1D, &length) != CLFFT_SUCCESS) {
        fprintf(stderr, "%s: not supported\n", name);
        return;
    }
    check(clfftSetPlanPrecision(plan, doubles ? CLFFT_DOUBLE : CLFFT_SINGLE), "precision");
    check(clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED), "layout");
    check(clfftSetResultLocation(plan, CLFFT_INPLACE), "place");
    check(clfftSetPlanBatchSize(plan, batch), "batch");
    if (clfftBakePlan(plan, 1, &queue, NULL, NULL) != CLFFT_SUCCESS) {
        fprintf(stderr, "%s: not supported\n", name);
        clfftDestroyPlan(&plan);
        return;
    }
    void *const host = malloc(bytes);
    if (!host)
        exit(1);
    for (size_t i = 0; i < numbers; ++i) {
        const double value = (double)(i * 2654435761u % 65536) / 65536 - 0.5;
        if (doubles)
            ((double *)host)[i] = value;
        else
            ((float *)host)[i] = (float)value;
    }
    cl_int error;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host, &error);
    check(error, "clCreateBuffer");
    free(host);
    double times[MOST_SAMPLES];
    for (int sample = -2; sample < samples; ++sample) {
        // There and back in turn, so that numbers stay what they are.
        const clfftDirection direction = sample % 2 ? CLFFT_BACKWARD : CLFFT_FORWARD;
        const double start = now();
        check(clfftEnqueueTransform(plan, direction, 1, &queue, 0, NULL, NULL, &memory, NULL, NULL), name);
        check(clFinish(queue), name);
        if (sample >= 0)
            times[sample] = now() - start;
    }
    qsort(times, samples, sizeof *times, ascending);
    printf("%s %.5f\n", name, times[samples / 2]);
    fflush(stdout);
    clReleaseMemObject(memory);
    clfftDestroyPlan(&plan);
}

int main(const int count, char **const arguments)
{
    int points = 27, samples = 15, first = 1;
    const char *wanted = NULL;
    for (; first + 1 < count && strncmp(arguments[first], "--", 2) == 0; first += 2) {
        if (strcmp(arguments[first], "--device") == 0)
            wanted = arguments[first + 1];
        else if (strcmp(arguments[first], "--points") == 0)
            points = atoi(arguments[first + 1]);
        else
            samples = atoi(arguments[first + 1]);
    }
    samples = samples < 1 ? 1 : samples > MOST_SAMPLES ? MOST_SAMPLES : samples;
    points = points < 1 ? 1 : points;
    const cl_device_id device = device_of(wanted);
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    clfftSetupData setup;
    check(clfftInitSetupData(&setup), "clfftInitSetupData");
    check(clfftSetup(&setup), "clfftSetup");
    for (int at = first; at < count; ++at)
        measure(context, queue, arguments[at], points, samples);
    clfftTeardown();
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}

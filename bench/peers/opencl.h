// The common part of the OpenCL programs of other libraries: the device, a queue with the times of its commands,
// and `run` on it. DEVICE is the device's name followed by its platform's in brackets, as the benchmark prints
// it.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "harness.h"

// Checks a status code of OpenCL, or of a library whose codes extend OpenCL's.
inline void check(const long status, const char *const what)
{
    if (status != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + ": status " + std::to_string(status));
}

struct Place {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

template <typename Object, typename Call> static std::string name_of(const Call call, const Object object, const cl_uint what)
{
    char name[1024] = "";
    check(call(object, what, sizeof(name) - 1, name, nullptr), "the name of a platform or a device");
    std::string text(name);
    const size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
    return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

inline cl_device_id device_of(const std::string &wanted)
{
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    for (const cl_platform_id platform : platforms) {
        const std::string brackets = " (" + name_of(clGetPlatformInfo, platform, CL_PLATFORM_NAME) + ")";
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
            continue;
        std::vector<cl_device_id> devices(count);
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
        for (const cl_device_id device : devices)
            if (name_of(clGetDeviceInfo, device, CL_DEVICE_NAME) + brackets == wanted)
                return device;
    }
    throw std::runtime_error("not found: the device " + wanted);
}

inline Place place_of(const std::string &wanted)
{
    Place place;
    place.device = device_of(wanted);
    cl_int status;
    place.context = clCreateContext(nullptr, 1, &place.device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    place.queue = clCreateCommandQueue(place.context, place.device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    return place;
}

// Returns integers of which every bit is random.
inline std::vector<cl_uint> integers(const size_t n)
{
    std::vector<cl_uint> x(n);
    for (cl_uint &value : x)
        value = static_cast<cl_uint>(random_bits() >> 32);
    return x;
}

// Returns zeros and ones. There are few enough ones for floats to count them, so that sums are exact in every
// order. Sums of random numbers are inexact, and their error does not show whether a result is right.
template <typename T> std::vector<T> countable(const size_t n)
{
    std::vector<T> x(n);
    size_t ones = 0;
    for (T &value : x) {
        value = ones < size_t(1) << 24 && random_bits() % 2 == 1 ? T(1) : T(0);
        ones += value == T(1);
    }
    return x;
}

// Device memory with a copy of a host vector.
template <typename T> class Memory {
    const Place place;
    const size_t length;
    cl_mem memory;

public:
    Memory(const Place &place, const std::vector<T> &host) : place(place), length(host.size())
    {
        cl_int status;
        memory = clCreateBuffer(place.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, length * sizeof(T),
                                const_cast<T *>(host.data()), &status);
        check(status, "clCreateBuffer");
    }
    Memory(const Memory &) = delete;
    ~Memory() { clReleaseMemObject(memory); }
    cl_mem get() const { return memory; }
    void fill(const std::vector<T> &host) const
    {
        check(clEnqueueWriteBuffer(place.queue, memory, CL_TRUE, 0, length * sizeof(T), host.data(), 0, nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
    std::vector<T> to_host() const
    {
        std::vector<T> host(length);
        check(clEnqueueReadBuffer(place.queue, memory, CL_TRUE, 0, length * sizeof(T), host.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        return host;
    }
};

// Returns the time between two markers around a step that follows another one, whatever commands the steps
// enqueue.
inline double seconds_between_markers(const cl_command_queue queue, const Step &before, const Step &step)
{
    cl_event begin, end;
    before();
    check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &begin), "clEnqueueMarkerWithWaitList");
    step();
    check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &end), "clEnqueueMarkerWithWaitList");
    check(clFinish(queue), "clFinish");
    cl_ulong began = 0, ended = 0;
    check(clGetEventProfilingInfo(begin, CL_PROFILING_COMMAND_END, sizeof(began), &began, nullptr), "a marker's time");
    check(clGetEventProfilingInfo(end, CL_PROFILING_COMMAND_START, sizeof(ended), &ended, nullptr), "a marker's time");
    clReleaseEvent(begin);
    clReleaseEvent(end);
    return 1e-9 * (ended - began);
}

// The main function: `cases_of` makes the cases of a place.
template <typename Cases> int run_on_opencl(const int argc, char **argv, const Cases cases_of)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s SIZE FILTER SAMPLES DEVICE\n", argv[0]);
        return 2;
    }
    try {
        const Place place = place_of(argv[4]);
        const Step finish = [=] { check(clFinish(place.queue), "clFinish"); };
        const auto seconds = [=](const Step &before, const Step &step) {
            return seconds_between_markers(place.queue, before, step);
        };
        return run(cases_of(place), argv, Device { finish, seconds });
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
